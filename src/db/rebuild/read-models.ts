import type { ReadTx } from "../engine/database.ts";
import { boardRowOf, seqOf } from "../log/log-place.ts";

/** The tables that the logs alone make. What waits for a person is one of them only in part: reading shortens the rest. */
export const readModels: readonly string[] = [
  "board",
  "board_role",
  "task_prefix",
  "member",
  "join_code",
  "message",
  "reply",
  "thread",
  "recipient",
  "awaited_reply",
  "role_target",
  "reaction",
  "task",
  "task_helper",
  "current_task",
  "message_task",
  "last_on_task",
  "ask",
  "answer",
  "file",
  "file_version",
  "file_task",
  "file_approval",
  "file_posted",
  "task_count",
  "damped",
  "agent_loop",
  "moved_board",
  "agent_act",
  "attention_cause",
];

/** Rows that the logs do not make alone. */
const exceptions: Readonly<Record<string, string>> = {
  attention_cause: "WHERE kind IN ('reply', 'late')",
};

/** A row of a read model without anything that depends on where it is stored. */
export interface Meant {
  readonly boardRow: number;
  /** Its columns as JSON: row numbers are the permanent ids of what they point at. */
  readonly text: string;
}

type Row = Readonly<Record<string, unknown>>;
type Meaning = (tx: ReadTx, value: never) => unknown;

const idIn =
  (table: string): Meaning =>
  (tx, row: number) =>
    tx.get<{ id: string }>(`SELECT id FROM ${table} WHERE row = ?`, row)?.id;
const boardId = idIn("board");
/** A person of the server, or a stand-in of a board. */
const person: Meaning = (tx, row: number) =>
  idIn(row < 0 ? "stand_in" : "person")(tx, row as never);
const placed: Meaning = (tx, place: number) =>
  `${boardId(tx, boardRowOf(place) as never)}:${seqOf(place)}`;

const columnsOf = (meaning: Meaning, ...columns: readonly string[]) =>
  columns.map((column) => [column, meaning] as const);

/** What the columns mean whose values are numbers of this database, or JSON whose keys have no order. */
const meanings = new Map<string, Meaning>([
  ...columnsOf(() => "", "row"),
  ...columnsOf(boardId, "board_row"),
  ...columnsOf(person, "person_row", "human_row", "guest_row", "sender_person_row", "worker_row"),
  ...columnsOf(idIn("member"), "member_row", "sender_row", "maker_row", "owner_row", "asker_row"),
  ...columnsOf(idIn("member"), "opener_row", "about_by", "stands_by", "writer_row"),
  ...columnsOf(idIn("task"), "task_row"),
  ...columnsOf(idIn("file"), "file_row"),
  ...columnsOf(placed, "place", "began", "latest_place", "about_place", "stands_place", "ask"),
  ...columnsOf(placed, "answer", "text_place", "reply_to", "root", "last_reply"),
  ...columnsOf((_, json: string) => canonical(JSON.parse(json)), "policy"),
]);

/** A value whose objects have their keys in alphabetical order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => [key, canonical(inner)]);
}

/** The rows of a read model, in no order. */
export function* rowsOf(tx: ReadTx, table: string): Generator<Meant> {
  for (const row of tx.each<Row>(`SELECT * FROM ${table} ${exceptions[table] ?? ""}`))
    yield {
      boardRow: boardRowIn(tx, table, row),
      text: JSON.stringify(
        Object.entries(row).map(([column, value]) => [
          column,
          value === null ? null : (meanings.get(column)?.(tx, value as never) ?? value),
        ]),
      ),
    };
}

/** The board that a row is about; 0 if what it belongs to is not there. */
function boardRowIn(tx: ReadTx, table: string, row: Row): number {
  const given = table === "board" ? row["row"] : row["board_row"];
  if (given !== undefined) return given as number;
  const place = row["place"] ?? row["root"];
  if (place !== undefined) return boardRowOf(place as number);
  const owner = ["member", "task", "file"].find((each) => row[`${each}_row`] !== undefined)!;
  const found = tx.get<{ board_row: number }>(
    `SELECT board_row FROM ${owner} WHERE row = ?`,
    row[`${owner}_row`] as number,
  );
  return found?.board_row ?? 0;
}
