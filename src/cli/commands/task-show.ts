import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { taskText } from "../render/task.ts";
import { taskPlace } from "../tasks/place.ts";

export default defineCommand({
  acts: "either",
  args: {
    task: { type: "positional", valueHint: "ID", description: "The task, such as DOC-7 or 7." },
    ...agentFlags,
    ...serverFlag,
  },
  details: "Who is on it, what it is about and where it stands.",
  seeAlso: ["task list", "task note"],
  async run({ args, data: cli }) {
    const { api, board } = await taskPlace(cli, args, args.task);
    const task = await api.call("getTask", { params: { board, task: args.task } });
    return { json: { board, task, files: [], threads: [] }, text: taskText(task) };
  },
});
