import { listedUnlessSaid, mostListed } from "../../../contract/limits.ts";
import type { Speaker } from "../../acting/acting.ts";
import type { Answer } from "../../frame/command.ts";
import { commandLine, type Typed } from "../../frame/suggest.ts";
import { fetchingLine } from "../attached-text.ts";
import { markdown } from "../markdown.ts";
import { header, messageBlocks } from "../message-text.ts";
import type { Message, Reader } from "../message-types.ts";
import { dim } from "../../terminal/style.ts";
import { counted } from "../../terminal/table.ts";
import { integer } from "../../frame/values.ts";
import { filterFlags, filterQuery, seqOf } from "../message-filter.ts";
import type { ReadFlags } from "../read-form.ts";

/** Messages, oldest first, and the positions of the pages before and after. */
interface Page {
  readonly messages: readonly Message[];
  readonly next_after: number | null;
  readonly prev_before: number | null;
}
interface Window {
  readonly after?: number;
  readonly before?: number;
  readonly newest?: boolean;
  readonly limit: number;
}

/** Reads a page of a board. */
export async function readPage(reader: Speaker, flags: ReadFlags, typed: Typed): Promise<Answer> {
  const { api, board, kind } = reader;
  const [page, { policy }] = await Promise.all([
    pageOf(reader, flags),
    api.call("getBoard", { params: { board } }),
  ]);
  return {
    json: { board, visibility: policy.visibility, ...page },
    text: flags.markdown
      ? markdown(board, page.messages, kind)
      : pageText(board, page, kind, flags, typed),
  };
}

async function pageOf({ api, board }: Speaker, flags: ReadFlags): Promise<Page> {
  const filter = filterQuery(flags);
  const list = async (window: Window): Promise<Page> => {
    const query = { ...filter, ...window };
    const { messages, next_after, prev_before } = await api.call("listMessages", {
      params: { board },
      query,
    });
    return { messages, next_after, prev_before };
  };
  const limit = integer("--limit", flags.limit ?? `${listedUnlessSaid}`, 1, mostListed);
  if (flags.after !== undefined) return list({ after: seqOf("--after", flags.after), limit });
  if (flags.around !== undefined) return around(seqOf("--around", flags.around), limit, list);
  const before = flags.before === undefined ? {} : { before: seqOf("--before", flags.before) };
  return list({ ...before, newest: true, limit });
}

/** Half of the messages before the number, the rest from it on. */
async function around(
  middle: number,
  limit: number,
  list: (window: Window) => Promise<Page>,
): Promise<Page> {
  const half = Math.floor(limit / 2);
  const [earlier, later] = await Promise.all([
    list({ before: middle, newest: true, limit: Math.max(half, 1) }),
    list({ after: middle - 1, limit: limit - half }),
  ]);
  return half
    ? {
        ...later,
        messages: [...earlier.messages, ...later.messages],
        prev_before: earlier.prev_before,
      }
    : later;
}

function pageText(
  board: string,
  page: Page,
  reader: Reader,
  flags: ReadFlags,
  typed: Typed,
): string {
  const { messages, next_after, prev_before } = page;
  if (messages.length === 0) return emptyText(board, flags, typed);
  const again = (window: { before: number } | { after: number }) =>
    typed(
      commandLine({
        words: "read",
        flags: { ...window, ...filterFlags(flags), limit: flags.limit || undefined },
      }),
    );
  const more = [
    ...fetchingLine(messages, typed),
    ...(prev_before === null ? [] : [`Earlier: ${again({ before: prev_before })}`]),
    ...(next_after === null ? [] : [`Later: ${again({ after: next_after })}`]),
  ];
  return [
    header(board, counted(messages.length, "message", "messages")),
    messageBlocks(messages, reader),
    ...(more.length ? [more.map(dim).join("\n")] : []),
  ].join("\n\n");
}

function emptyText(board: string, flags: ReadFlags, typed: Typed): string {
  const { after, before, around: middle, from, role, toMe, task } = flags;
  return [after, before, middle, from, role, task].some(Boolean) || toMe
    ? `Nothing like that on ${board}. ${typed("read")} shows the newest messages.`
    : `No messages on ${board} yet. ${typed('say "Hello"')} posts the first.`;
}
