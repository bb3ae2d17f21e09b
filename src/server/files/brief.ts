import type { Static } from "@sinclair/typebox";
import type { BriefName, BriefSummary } from "../../contract/file-record.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileNamed, fileVersion, type FileRow } from "../../db/files.ts";
import type { MemberRow } from "../../db/members.ts";
import { memberRefAt } from "../member-ref.ts";
import { freshnessSince } from "./freshness.ts";

type Name = Static<typeof BriefName>;

/** The names that make a file the board's brief. */
export type Brief = FileRow & { readonly name: Name };

/** Whether a name is one of the two names of the brief. */
export const isBriefName = (name: string): name is Name =>
  name === "brief.md" || name === "brief.html";

/** The board's brief; null when it has none. */
export const briefOf = (tx: ReadTx, board: BoardRow): Brief | null =>
  (fileNamed(tx, board.row, "brief.md") ?? fileNamed(tx, board.row, "brief.html")) as Brief | null;

/** The board's brief as the board shows it to a member. */
export function briefSummary(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
): Static<typeof BriefSummary> | null {
  const brief = briefOf(tx, board);
  if (!brief) return null;
  const { writer_row: writer, written_at: at } = fileVersion(tx, brief.row, brief.latest)!;
  return {
    file_id: brief.id,
    name: brief.name,
    version: brief.latest,
    by: memberRefAt(tx, writer),
    at,
    freshness: freshnessSince(tx, board, me, brief.latest_place),
  };
}

/** The brief and its freshness, for the agent that wrote its newest version; null for all others. */
export function briefWork(tx: ReadTx, board: BoardRow, agent: MemberRow) {
  const brief = briefOf(tx, board);
  if (!brief) return null;
  const newest = fileVersion(tx, brief.row, brief.latest)!;
  if (newest.writer_row !== agent.row) return null;
  const { messages_since, tasks_done_since } = freshnessSince(tx, board, agent, brief.latest_place);
  return {
    file_id: brief.id,
    name: brief.name,
    version: brief.latest,
    at: newest.written_at,
    messages_since,
    tasks_done_since,
  };
}
