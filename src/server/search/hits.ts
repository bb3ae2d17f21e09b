import type { Static } from "@sinclair/typebox";
import type { Message } from "../../contract/message.ts";
import type { FileHit, MessageHit, SearchHit, TaskHit } from "../../contract/search.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileVersion, fileWithTextAt } from "../../db/files.ts";
import { timeAt } from "../../db/log/log.ts";
import type { MemberRow } from "../../db/members.ts";
import { messageAt } from "../../db/messages.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { taskTexts } from "../../db/search/search-sources.ts";
import { taskWithTextAt } from "../../db/tasks.ts";
import { memberRefAt } from "../member-ref.ts";
import { versionRecord } from "../files/views.ts";
import { readerOn } from "../access/readable-messages.ts";
import { messageRecords } from "../messages/views.ts";
import { excerptOf } from "./excerpt.ts";
import type { Found, Kind } from "./ranking.ts";

type Hit = Static<typeof SearchHit>;

/** The results of a search, in the order given, as a member of the board sees them. */
export function hitRecords(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  found: readonly Found[],
): Hit[] {
  const reader = readerOn(board, me);
  const messages = found.filter(({ kind }) => kind === "message");
  const rows = messages.map(({ place }) => messageAt(tx, place, reader)!);
  const records = new Map(
    messageRecords(tx, board, me, rows).map((message) => [message.seq, message]),
  );
  const hitOf: Record<Kind, (found: Found) => Hit> = {
    message: (each) => messageHit(records.get(seqOf(each.place))!, each),
    task: (each) => taskHit(tx, each),
    file: (each) => fileHit(tx, each),
  };
  return found.map((each) => hitOf[each.kind](each));
}

const messageHit = (
  { id, seq, at, from, to, thread_root_seq }: Static<typeof Message>,
  { marked }: Found,
): Static<typeof MessageHit> => ({
  kind: "message",
  id,
  seq,
  at,
  from,
  to,
  thread_root_seq,
  excerpt: excerptOf(marked),
});

function taskHit(tx: ReadTx, { place, text, marked }: Found): Static<typeof TaskHit> {
  const { id, ref, title, state, owner_row } = taskWithTextAt(tx, place)!;
  return {
    kind: "task",
    id,
    seq: seqOf(place),
    at: timeAt(tx, place),
    ref,
    title,
    state,
    owner: owner_row === null ? null : memberRefAt(tx, owner_row),
    found_in: taskTexts[text]!,
    excerpt: excerptOf(marked),
  };
}

function fileHit(tx: ReadTx, { place, marked }: Found): Static<typeof FileHit> {
  const { row, id, name, maintained, latest } = fileWithTextAt(tx, place)!;
  return {
    kind: "file",
    id,
    seq: seqOf(place),
    at: timeAt(tx, place),
    name,
    maintained: maintained === 1,
    latest: versionRecord(tx, fileVersion(tx, row, latest)!),
    excerpt: excerptOf(marked),
  };
}
