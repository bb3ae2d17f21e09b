import { mostListed } from "../../contract/limits.ts";
import type { Api } from "../connection/api.ts";
import type { OutputOf } from "../../contract/index.ts";
import type { Message } from "../messages/message-types.ts";

type Thread = OutputOf<"listThreads">["threads"][number];

/** The newest messages about a task, and the board's newest threads that contain one of them. */
interface Conversation {
  readonly messages: readonly Message[];
  readonly threads: readonly Thread[];
}

/** Reads the newest messages about a task and the board's newest threads with one of them: one page of each. */
export async function conversationAbout(
  api: Api,
  board: string,
  task: string,
): Promise<Conversation> {
  const params = { board };
  const [{ messages }, { threads }] = await Promise.all([
    api.call("listMessages", { params, query: { task, newest: true, limit: mostListed } }),
    api.call("listThreads", { params, query: { limit: mostListed } }),
  ]);
  const roots = new Set(messages.map(({ id, thread_root }) => thread_root ?? id));
  return { messages, threads: threads.filter(({ root }) => roots.has(root.id)) };
}
