import { actorFlags, defineCommand } from "../frame/command.ts";
import { filesText } from "../files/file-text.ts";
import { conversationText, taskText } from "./task-text.ts";
import { conversationAbout } from "./task-conversation.ts";
import { filesAbout } from "../files/about-task.ts";
import { taskPlace } from "./task-place.ts";

export default defineCommand({
  summary: "Show a task and where it stands",
  acts: "either",
  args: {
    task: { type: "positional", valueHint: "ID", description: "The task, such as DOC-7 or 7." },
    ...actorFlags,
  },
  details:
    "Who is on it, what it is about, where it stands, what it is blocked on, which files are about it, and what was said about it last.",
  seeAlso: ["task list", "task note"],
  async run({ args, data: cli }) {
    const { actor, api, board, typed } = await taskPlace(cli, args, args.task);
    const task = await api.call("getTask", { params: { board, task: args.task } });
    const [{ messages, threads }, files] = await Promise.all([
      conversationAbout(api, board, task.ref),
      filesAbout(api, board, task.ref),
    ]);
    const text = [
      taskText(task),
      ...filesText(files),
      ...conversationText(task, messages, actor.kind, typed),
    ];
    return { json: { board, task, files, threads }, text: text.join("\n") };
  },
});
