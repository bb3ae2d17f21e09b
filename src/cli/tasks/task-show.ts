import { mostListed } from "../../contract/limits.ts";
import type { Api } from "../connection/api.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { filesText, type BoardFile } from "../files/file-text.ts";
import { conversationText, taskText } from "./task-text.ts";
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

/** Reads the newest messages about a task and the board's newest threads with one of them: one page of each. */
async function conversationAbout(api: Api, board: string, task: string) {
  const params = { board };
  const [{ messages }, { threads }] = await Promise.all([
    api.call("listMessages", { params, query: { task, newest: true, limit: mostListed } }),
    api.call("listThreads", { params, query: { limit: mostListed } }),
  ]);
  const roots = new Set(messages.map(({ id, thread_root }) => thread_root ?? id));
  return { messages, threads: threads.filter(({ root }) => roots.has(root.id)) };
}

/** The files about a task, as many as a list holds. None on a server that has no files. */
async function filesAbout(api: Api, board: string, task: string): Promise<BoardFile[]> {
  const { features } = await api.info();
  if (!features.includes("files")) return [];
  return (await api.call("listFiles", { params: { board }, query: { task, limit: mostListed } }))
    .files;
}
