import type { Api } from "../api.ts";
import { threadOf } from "../reading/thread-of.ts";
import type { Message } from "../render/message.ts";
import type { Task, Thread } from "../render/task.ts";

/** Most threads of a task that are shown. */
const most = 20;

/**
 * The threads with a message about a task, that with the newest such message first: of the newest 200 messages about it,
 * and at most 20. A message that nobody has replied to is one, too; one that begins with what the caller may not read is
 * left out.
 */
export async function conversationOf(api: Api, board: string, task: Task): Promise<Thread[]> {
  if (task.message_count === 0) return [];
  const params = { board };
  const [{ messages }, { threads }] = await Promise.all([
    api.call("listMessages", { params, query: { task: task.id, limit: 200 } }),
    api.call("listThreads", { params, query: { limit: 200 } }),
  ]);
  const newest = new Map<string, Message>();
  for (const message of messages.toReversed())
    if (!newest.has(rootOf(message))) newest.set(rootOf(message), message);
  const listed = new Map(threads.map((thread) => [thread.root.id, thread]));
  const found = [...newest].slice(0, most).map(([root, message]) => {
    return listed.get(root) ?? unlisted(api, message);
  });
  return (await Promise.all(found)).filter((thread) => thread !== null);
}

const rootOf = ({ id, thread_root }: Message): string => thread_root ?? id;

/** A thread that is not in the list: without replies, or older than those there. */
async function unlisted(api: Api, message: Message): Promise<Thread | null> {
  const { id, thread_root, reply_count, from } = message;
  if (thread_root === null && reply_count === 0)
    return { root: message, participants: [from.name] };
  const { root, replies } = await threadOf(api, id);
  return (
    root && { root, participants: [...new Set([root, ...replies].map(({ from }) => from.name))] }
  );
}
