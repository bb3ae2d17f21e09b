import { endUnread } from "./attention-causes.ts";
import type { ReadTx, Tx } from "./engine/database.ts";
import { placeOf } from "./log/log-place.ts";
import { insertRow, putRow } from "./insert-row.ts";
import { sharing } from "./shared-values.ts";

export interface MemberRow {
  row: number;
  id: string;
  board_row: number;
  person_row: number;
  name: string;
  kind: "human" | "agent";
  role: string | null;
  harness: string | null;
  access: "admin" | "member" | null;
  joined_at: string;
  joined_seq: number;
  status: "active" | "removed" | "left";
  ended_at: string | null;
  ended_by: "person" | "board_owner" | "admin" | "self" | null;
  delivery_mode: "focused" | "all" | "humans" | "off";
  delivery_revision: number;
}

/**
 * A member with the handle of its person: the person themselves, or the agent's. `origin` is the address of the server that a
 * stand-in belongs to, and null for everybody of this server.
 */
export type MemberAndHandle = MemberRow & { handle: string; origin: string | null };

export type MidturnPolicy = "owner-only" | "my-agents";

/** What is kept of a member: also the setting of an agent's person for it alone. */
type KeptMember = MemberAndHandle & { midturn_override: MidturnPolicy | null };

interface SeatTokenRow {
  member_row: number;
  digest: string;
  key_row: number;
  session: string | null;
}

const columns = "m.*, coalesce(p.handle, s.handle) AS handle, s.origin";
const source =
  "FROM member m LEFT JOIN person p ON p.row = m.person_row LEFT JOIN stand_in s ON s.row = m.person_row";
const withHandle = `SELECT ${columns} ${source}`;

const byRow = `SELECT ${columns}, o.policy AS midturn_override ${source} LEFT JOIN midturn_override o ON o.member_row = m.row WHERE m.row = ?`;
const byName = `${withHandle} WHERE m.board_row = ? AND m.name = ? ORDER BY m.person_row > 0 DESC, m.row DESC LIMIT 1`;

/** The same word as one string for all. */
const shared = sharing<string>((word) => word);

/** The member with the texts that very many have as one string for all, since very many are kept. */
function withSharedWords(member: KeptMember): KeptMember {
  const { kind, role, harness, status, delivery_mode, handle } = member;
  return Object.assign(member, {
    kind: shared(kind),
    role: role && shared(role),
    harness: harness && shared(harness),
    status: shared(status),
    delivery_mode: shared(delivery_mode),
    handle: shared(handle),
  });
}

export const memberAt = (tx: ReadTx, row: number) =>
  tx.rowCache.get("member at", row, () => {
    const member = tx.get<KeptMember>(byRow, row);
    return member && withSharedWords(member);
  });
export const memberWithId = (tx: ReadTx, id: string) =>
  tx.get<MemberAndHandle>(`${withHandle} WHERE m.id = ?`, id);
/** Row, kind and person of a member by id. */
export const memberKeyOf = (tx: ReadTx, id: string) =>
  tx.rowCache.get("member with id", id, () =>
    tx.get<Pick<MemberRow, "row" | "kind" | "person_row" | "board_row">>(
      "SELECT row, kind, person_row, board_row FROM member WHERE id = ?",
      id,
    ),
  );
/** A member by the name that they have on a board. A stand-in is found only while nobody else has its name. */
export const memberNamed = (tx: ReadTx, boardRow: number, name: string) =>
  tx.rowCache.get("member named", `${boardRow} ${name}`, () =>
    tx.get<MemberAndHandle>(byName, boardRow, name),
  );
/** The member of this server who has a name on a board, so that nobody else gets it there. Names of stand-ins are free. */
export function holderOfName(tx: ReadTx, boardRow: number, name: string) {
  const member = memberNamed(tx, boardRow, name);
  return member?.origin === null ? member : null;
}

/** A person's own membership of a board, ended or not. */
export const membershipOf = (tx: ReadTx, boardRow: number, personRow: number) =>
  tx.rowCache.get("membership", `${boardRow} ${personRow}`, () =>
    tx.get<MemberRow>(
      "SELECT * FROM member WHERE human_row = ? AND board_row = ?",
      personRow,
      boardRow,
    ),
  );

/** A person's own memberships of boards that are not deleted, including ended ones, in the order in which the boards were made. */
export const membershipsOf = (tx: ReadTx, personRow: number) =>
  tx.all<MemberRow>(
    "SELECT m.* FROM member m JOIN board b ON b.row = m.board_row WHERE m.human_row = ? AND b.lifecycle <> 'deleted' ORDER BY m.board_row",
    personRow,
  );

/** A person's own membership of a board while it lasts. */
export function activeMembership(tx: ReadTx, boardRow: number, personRow: number) {
  const member = membershipOf(tx, boardRow, personRow);
  return member?.status === "active" ? member : null;
}

/** Whether a person owns a board now. */
export const hasOwner = (tx: ReadTx, boardRow: number) =>
  tx.get(
    "SELECT 1 FROM member WHERE board_row = ? AND kind = 'human' AND status = 'active' AND access = 'admin' LIMIT 1",
    boardRow,
  ) !== null;

/** Whether a name on a board is an old handle of a person who is or was on it. That person may take it back. */
export const isHeldBack = (tx: ReadTx, boardRow: number, name: string) =>
  tx.get(
    "SELECT 1 FROM reserved_handle r JOIN member m ON m.human_row = r.person_row WHERE r.handle = ? AND m.board_row = ?",
    name,
    boardRow,
  ) !== null;

/** Everyone on a board now, in join order. */
export const membersOf = (tx: ReadTx, boardRow: number) =>
  tx.all<MemberAndHandle>(
    `${withHandle} WHERE m.board_row = ? AND m.status = 'active' ORDER BY m.joined_seq`,
    boardRow,
  );
export const peopleOf = (tx: ReadTx, boardRow: number) =>
  tx.all<MemberAndHandle>(
    `${withHandle} WHERE m.board_row = ? AND m.status = 'active' AND m.kind = 'human' ORDER BY m.joined_seq`,
    boardRow,
  );
/** The agents of a board, in join order. */
export const agentsOf = (tx: ReadTx, boardRow: number) =>
  tx.rowCache.get("agents", boardRow, () =>
    tx.all<MemberRow>(
      "SELECT * FROM member WHERE board_row = ? AND status = 'active' AND kind = 'agent' ORDER BY joined_seq",
      boardRow,
    ),
  );
/** Agent seats of a board that have ended, in join order. */
export const endedAgentsOf = (tx: ReadTx, boardRow: number) =>
  tx.all<MemberAndHandle>(
    `${withHandle} WHERE m.board_row = ? AND m.status <> 'active' AND m.kind = 'agent' ORDER BY m.joined_seq`,
    boardRow,
  );
export const agentsOfPerson = (tx: ReadTx, boardRow: number, personRow: number) =>
  tx.all<MemberAndHandle>(
    `${withHandle} WHERE m.board_row = ? AND m.person_row = ? AND m.kind = 'agent' AND m.status = 'active' ORDER BY m.joined_seq`,
    boardRow,
    personRow,
  );
/** Whether an agent of a person joined a board after a seq. Ended seats count. */
export const hasSeatSince = (tx: ReadTx, boardRow: number, personRow: number, seq: number) =>
  tx.get(
    "SELECT 1 FROM member WHERE board_row = ? AND person_row = ? AND kind = 'agent' AND joined_seq > ? LIMIT 1",
    boardRow,
    personRow,
    seq,
  ) !== null;
/** Whether more than one person has agents on a board. */
export const hasAgentsOfSeveral = (tx: ReadTx, boardRow: number): boolean =>
  tx.rowCache.get(
    "several",
    boardRow,
    () =>
      tx.get<{ several: 0 | 1 | null }>(
        "SELECT (SELECT person_row FROM member WHERE board_row = ?1 AND kind = 'agent' AND status = 'active' ORDER BY person_row LIMIT 1)" +
          " <> (SELECT person_row FROM member WHERE board_row = ?1 AND kind = 'agent' AND status = 'active' ORDER BY person_row DESC LIMIT 1) AS several",
        boardRow,
      )?.several === 1,
  );
/** Members who hold a role now, in join order. */
export const holdersOf = (tx: ReadTx, boardRow: number, role: string) =>
  tx.rowCache.get("holders", `${boardRow} ${role}`, () =>
    tx.all<MemberAndHandle>(
      `${withHandle} WHERE m.board_row = ? AND m.role = ? AND m.status = 'active' ORDER BY m.joined_seq`,
      boardRow,
      role,
    ),
  );
/** Rows of everyone who is or was on a board. */
export const memberRowsOf = (tx: ReadTx, boardRow: number) =>
  tx.rowCache.get("senders", boardRow, () =>
    rowsOf(tx.all<{ row: number }>("SELECT row FROM member WHERE board_row = ?", boardRow)),
  );
/** Rows of the members who hold a role, or held it until their seat ended. */
export const memberRowsWithRole = (tx: ReadTx, boardRow: number, role: string) =>
  tx.rowCache.get("senders with role", `${boardRow} ${role}`, () =>
    rowsOf(
      tx.all<{ row: number }>(
        "SELECT row FROM member WHERE board_row = ? AND role = ?",
        boardRow,
        role,
      ),
    ),
  );
const rowsOf = (members: readonly { row: number }[]): readonly number[] =>
  members.map(({ row }) => row);
/** Who made a board: the member whose joining is the second event of its log. */
export function creatorOf(tx: ReadTx, boardRow: number): MemberAndHandle {
  const joining = tx.get<{ data: string }>(
    "SELECT data FROM event WHERE place = ?",
    placeOf(boardRow, 2),
  )!;
  return memberWithId(tx, (JSON.parse(joining.data) as { member_id: string }).member_id)!;
}

export const insertMember = (
  tx: Tx,
  member: Omit<
    MemberRow,
    "row" | "status" | "ended_at" | "ended_by" | "delivery_mode" | "delivery_revision"
  >,
) =>
  insertRow(tx, "member", {
    ...member,
    human_row: member.kind === "human" ? member.person_row : null,
  });
/** Brings an ended membership of a person back, as an ordinary member. */
export const returnMember = (tx: Tx, row: number, at: string, joinedSeq: number) =>
  tx.run(
    "UPDATE member SET status = 'active', access = 'member', joined_at = ?, joined_seq = ?, ended_at = NULL, ended_by = NULL WHERE row = ?",
    at,
    joinedSeq,
    row,
  );
export const endMember = (
  tx: Tx,
  row: number,
  end: { status: "removed" | "left"; at: string; by: NonNullable<MemberRow["ended_by"]> },
) =>
  tx.run(
    "UPDATE member SET status = ?, ended_at = ?, ended_by = ? WHERE row = ?",
    end.status,
    end.at,
    end.by,
    row,
  );
export const renameMember = (tx: Tx, row: number, name: string) =>
  tx.run("UPDATE member SET name = ? WHERE row = ?", name, row);
export const setAccess = (tx: Tx, row: number, access: NonNullable<MemberRow["access"]>) =>
  tx.run("UPDATE member SET access = ? WHERE row = ?", access, row);
export const setDelivery = (
  tx: Tx,
  row: number,
  mode: MemberRow["delivery_mode"],
  revision: number,
) =>
  tx.run(
    "UPDATE member SET delivery_mode = ?, delivery_revision = ? WHERE row = ?",
    mode,
    revision,
    row,
  );

export const seatTokenOf = (tx: ReadTx, memberRow: number) =>
  tx.get<SeatTokenRow>("SELECT * FROM seat_token WHERE member_row = ?", memberRow);
export const insertSeatToken = (tx: Tx, token: SeatTokenRow) => insertRow(tx, "seat_token", token);

export const readPositionOf = (tx: ReadTx, memberRow: number) =>
  tx.get<{ seq: number }>("SELECT seq FROM read_position WHERE member_row = ?", memberRow)?.seq ??
  0;
/** Sets a member's read position, and ends what waited for it to be reached. */
export function setReadPosition(tx: Tx, memberRow: number, seq: number): void {
  putRow(tx, "read_position", { member_row: memberRow, seq });
  endUnread(tx, memberRow, placeOf(memberAt(tx, memberRow)!.board_row, seq));
}
