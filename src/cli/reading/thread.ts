import type { Agent } from "../acting.ts";
import type { Answer } from "../command.ts";
import { messageId, readable } from "../message-reference.ts";
import { fetchingLine } from "../render/attached.ts";
import type { Typed } from "../render/delivery-text.ts";
import { header, messageBlock, messageBlocks } from "../render/message.ts";
import { dim } from "../style.ts";
import { counted } from "../table.ts";
import { threadOf, type Thread } from "./thread-of.ts";

/** Reads the whole thread that a message belongs to. */
export async function readThread(agent: Agent, text: string, typed: Typed): Promise<Answer> {
  const { api, board } = agent;
  const id = await messageId(agent, text);
  const [thread, { policy }] = await Promise.all([
    readable(agent, text, threadOf(api, id)),
    api.call("getBoard", { params: { board } }),
  ]);
  const { root, replies } = thread;
  const thread_root_seq = root?.seq ?? replies[0]?.thread_root_seq ?? null;
  return {
    json: { board, visibility: policy.visibility, thread_root_seq, root, replies },
    text: threadText(board, thread_root_seq, thread, typed),
  };
}

function threadText(
  board: string,
  seq: number | null,
  { root, replies }: Thread,
  typed: Typed,
): string {
  return [
    header(board, `thread of #${seq}`, counted(replies.length, "reply", "replies")),
    root ? messageBlock(root, "agent") : dim(`#${seq} is not for you to read.`),
    ...(replies.length ? [messageBlocks(replies, "agent")] : []),
    ...fetchingLine([...(root ? [root] : []), ...replies], typed).map(dim),
  ].join("\n\n");
}
