import type { Speaker } from "../../acting/acting.ts";
import type { Answer } from "../../frame/command.ts";
import { messageId, readable } from "../message-reference.ts";
import { fetchingLine } from "../attached-text.ts";
import type { Typed } from "../../frame/suggest.ts";
import { header, messageBlock, messageBlocks } from "../message-text.ts";
import type { Reader } from "../message-types.ts";
import { dim } from "../../terminal/style.ts";
import { counted } from "../../terminal/table.ts";
import { threadOf, type Thread } from "../thread-of.ts";

/** Reads the whole thread that a message belongs to. */
export async function readThread(reader: Speaker, text: string, typed: Typed): Promise<Answer> {
  const { api, kind } = reader;
  const id = await messageId(reader, text);
  const visibilityOf = async (board: string) =>
    (await api.call("getBoard", { params: { board } })).policy.visibility;
  const [thread, likely] = await Promise.all([
    readable(reader, text, threadOf(api, id)),
    visibilityOf(reader.board),
  ]);
  const { root, replies } = thread;
  // A person may name a message of another board by its id.
  const { board } = root ?? replies[0] ?? reader;
  const visibility = board === reader.board ? likely : await visibilityOf(board);
  const thread_root_seq = root?.seq ?? replies[0]?.thread_root_seq ?? null;
  return {
    json: { board, visibility, thread_root_seq, root, replies },
    text: threadText(board, thread_root_seq, thread, kind, typed),
  };
}

function threadText(
  board: string,
  seq: number | null,
  { root, replies }: Thread,
  reader: Reader,
  typed: Typed,
): string {
  return [
    header(board, `thread of #${seq}`, counted(replies.length, "reply", "replies")),
    root ? messageBlock(root, reader) : dim(`#${seq} is not for you to read.`),
    ...(replies.length ? [messageBlocks(replies, reader)] : []),
    ...fetchingLine([...(root ? [root] : []), ...replies], typed).map(dim),
  ].join("\n\n");
}
