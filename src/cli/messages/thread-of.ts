import { mostListed } from "../../contract/limits.ts";
import type { Client } from "../../client/client.ts";
import { pagesAfter } from "../connection/pages.ts";
import type { Message } from "./message-types.ts";

/** A thread: its first message, or null if the caller may not read it, and all replies, oldest first. */
export interface Thread {
  readonly root: Message | null;
  readonly replies: readonly Message[];
}

/** Reads the thread of any of its messages. With `wait` the server waits that many seconds for a first reply. */
export async function threadOf(api: Client, message: string, wait = 0): Promise<Thread> {
  const replies: Message[] = [];
  let root: Message | null = null;
  const read = (after: number) =>
    api.call("listReplies", {
      params: { message },
      query: { after, limit: mostListed, ...(wait && { wait }) },
    });
  for await (const page of pagesAfter(0, read)) {
    replies.push(...page.replies);
    root = page.root;
  }
  return { root, replies };
}
