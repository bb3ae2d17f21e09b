import { hasEveryMessage } from "../../db/search-index.ts";
import { markedTexts, newestMatches, type Matches } from "../../db/search.ts";
import { messageAt } from "../../db/messages.ts";
import { seqOf } from "../../db/places.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../messages/reader.ts";
import { sendersAsked } from "../messages/senders.ts";
import { messageRecords } from "../messages/views.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { excerptOf } from "./excerpt.ts";
import { foundIn, marks, ranked } from "./ranking.ts";
import { termsOf } from "./terms.ts";

/** Most texts that are ranked together. */
const mostTogether = 500;
/** No further one is, once their events have so many bytes: reading and marking them keeps everybody waiting. */
const mostBytes = 512 * 1024;
/** A seq that no board has reached. */
const pastEverySeq = 0xffff_ffff;

export const searchBoard: Handler<"searchBoard"> = (tx, { board, me }, { query }) => {
  const { after = 0, before = pastEverySeq, limit = 50 } = query;
  const terms = termsOf(query.q);
  const senders = sendersAsked(tx, board, query);
  const task = query.task === undefined ? null : taskCalled(tx, board, query.task).row;
  const reader = readerOn(board, me);
  const { newest, skipped } = cursorOf(query.cursor);
  const search = {
    ...{ terms, after, senders, toReader: query.to_me ?? false, task },
    before: Math.min(before, newest + 1),
  };
  const found = newestMatches(tx, board.row, reader, search, mostTogether + 1);
  const { block, older } = blockOf(found);
  const texts = ranked(markedTexts(tx, block, terms, marks).map(foundIn));
  const page = texts.slice(skipped, skipped + limit);
  const rows = page.map(({ place }) => messageAt(tx, place, reader)!);
  return {
    board: board.name,
    hits: messageRecords(tx, board, me, rows).map((message, index) => ({
      kind: "message" as const,
      id: message.id,
      seq: message.seq,
      at: message.at,
      from: message.from,
      to: message.to,
      thread_root_seq: message.thread_root_seq,
      excerpt: excerptOf(page[index]!.parts),
    })),
    next: nextOf(block, older, skipped + limit),
    complete: hasEveryMessage(tx, board.row),
  };
};

/** Where a page begins: the newest seq of the texts that are ranked together, and how many of them were shown. */
function cursorOf(cursor: string | undefined): { newest: number; skipped: number } {
  const [newest = pastEverySeq - 1, skipped = 0] = cursor?.split("-").map(Number) ?? [];
  return { newest, skipped };
}

function nextOf({ matches }: Matches, older: boolean, shown: number): string | null {
  if (shown < matches.length) return `${seqOf(matches[0]!.place)}-${shown}`;
  return older ? `${seqOf(matches.at(-1)!.place) - 1}-0` : null;
}

/** The newest of what was found, as many as are ranked together, and whether there is more. */
function blockOf({ matches, alongIndex }: Matches): { block: Matches; older: boolean } {
  let bytes = 0;
  const fitting = matches.slice(0, mostTogether).filter(({ size }, index) => {
    const before = bytes;
    bytes += size;
    return index === 0 || before < mostBytes;
  });
  return { block: { matches: fitting, alongIndex }, older: fitting.length < matches.length };
}
