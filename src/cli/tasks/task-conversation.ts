import { mostListed } from "../../contract/limits.ts";
import type { Api } from "../connection/api.ts";

/** Reads the newest messages about a task and the board's newest threads with one of them: one page of each. */
export async function conversationAbout(api: Api, board: string, task: string) {
  const params = { board };
  const [{ messages }, { threads }] = await Promise.all([
    api.call("listMessages", { params, query: { task, newest: true, limit: mostListed } }),
    api.call("listThreads", { params, query: { limit: mostListed } }),
  ]);
  const roots = new Set(messages.map(({ id, thread_root }) => thread_root ?? id));
  return { messages, threads: threads.filter(({ root }) => roots.has(root.id)) };
}
