import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { taskText } from "../render/task.ts";
import { conversationOf } from "../tasks/conversation.ts";
import { taskPlace } from "../tasks/place.ts";

export default defineCommand({
  acts: "either",
  args: {
    task: { type: "positional", valueHint: "ID", description: "The task, such as DOC-7 or 7." },
    ...agentFlags,
    ...serverFlag,
  },
  details:
    "Who is on it, what it is about, where it stands, what it is blocked on, and what is said about it.",
  seeAlso: ["task list", "task note"],
  async run({ args, data: cli }) {
    const { actor, api, board, typed } = await taskPlace(cli, args, args.task);
    const task = await api.call("getTask", { params: { board, task: args.task } });
    const threads = await conversationOf(api, board, task);
    // `read` is a command of agents.
    const reading = actor.kind === "agent" ? (seq: number) => typed(`read --thread ${seq}`) : null;
    return { json: { board, task, files: [], threads }, text: taskText(task, threads, reading) };
  },
});
