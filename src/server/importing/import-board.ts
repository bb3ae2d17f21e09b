import type { EventData, EventType } from "../../contract/log.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { personNamed, personWithId, type PersonRow } from "../../db/accounts.ts";
import {
  boardNameTaken,
  boardWithId,
  newLog,
  retainedBoardWithId,
  type BoardRow,
} from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import type { LogHead } from "../../db/log/chain.ts";
import { membershipOf, type MemberRow } from "../../db/members.ts";
import { insertImportedBoard, insertStandIn, standInsOf } from "../../db/stand-ins.ts";
import { appendImported } from "../../db/projection/append.ts";
import { seeing } from "../access/visible-boards.ts";
import type { Caller } from "../access/identify.ts";
import { system } from "../actor.ts";
import { beginStay, joinedPerson } from "../boards/begin-stay.ts";
import { boardRecord } from "../boards/views.ts";
import type { Handler, Recheck, Tools } from "../handler.ts";
import { newId } from "../ids.ts";
import { freeMemberName } from "../names.ts";
import { recordAs } from "../record.ts";
import { archiveInvalid } from "../../board-archive/archive-invalid.ts";
import { requireBelongs } from "./belongs.ts";
import { leaveBehind } from "./leave-behind.ts";
import type { ReceivedArchive } from "../../board-archive/received-archive.ts";
import type { VerifiedEvent } from "../../board-archive/verify-event.ts";

export const importBoard: Handler<"importBoard"> = (
  tx,
  { caller },
  { query, archive },
  { server },
) => {
  const { manifest, people } = archive;
  requireForeign(manifest, server);
  const name = query.name ?? archive.name;
  if (retainedBoardWithId(tx, manifest.board.id))
    throw refuse("board_exists", { id: manifest.board.id });
  if (boardNameTaken(tx, name)) throw refuse("board_name_taken", { board: name });

  const log = newLog(tx, manifest.board.id);
  const origin = manifest.server.address;
  insertImportedBoard(tx, {
    board_row: log.row,
    origin,
    name,
    head_seq: manifest.head.seq,
    imported_at: tx.now,
  });
  storePeople(tx, log, people, origin);
  for (const event of archive.events()) storeEvent(tx, log, event);

  const board = boardWithId(tx, log.id)!;
  const places = placesFor(tx, board, caller, query.person ?? []);
  const { generation } = manifest.server;
  recordAs(tx, board, system, "board.imported", { origin, generation, head: manifest.head, name });
  leaveBehind(tx, board);
  const [me] = places.map((place) => join(tx, board, caller, place));
  return boardRecord(tx, boardWithId(tx, log.id)!, me!, caller);
};

/** A replay needs a caller who sees the board now. */
export const importBoardAgain: Recheck<"importBoard"> = (tx, { caller }, kept) =>
  void seeing(tx, caller, boardWithId(tx, kept.id), kept.name);

/** Every machine has these addresses, so they say nothing about where an archive comes from. */
const loopback = /^(localhost|127\..*|\[::1\])$/;

/** Refuses an archive that says that it comes from this server: its people would look like those of this one. */
function requireForeign(
  { server: from }: ReceivedArchive["manifest"],
  { id, url }: Tools["server"],
): void {
  const sameAddress = from.address === url.toLowerCase() && !loopback.test(new URL(url).hostname);
  if (from.id === id || sameAddress) throw archiveInvalid("it says that it comes from this server");
}

function storePeople(
  tx: Tx,
  { row }: LogHead,
  people: ReceivedArchive["people"],
  origin: string,
): void {
  const seen = new Set<string>();
  for (const { id, handle, ...from } of people) {
    if (personWithId(tx, id))
      throw archiveInvalid(`it names ${id}, who is a person of this server`);
    if (seen.has(id)) throw archiveInvalid(`it has ${id} twice among its people`);
    seen.add(id);
    insertStandIn(tx, { board_row: row, id, handle, origin: from.origin ?? origin });
  }
}

/** Stores an event of another server as it is, with what it does to the read models. */
function storeEvent(tx: Tx, log: LogHead, event: VerifiedEvent): void {
  requireBelongs(tx, log.row, event);
  try {
    appendImported(tx, log, {
      ...event,
      actorRecord: event.actorRecord,
      payload: event.payload as EventData<EventType>,
    });
  } catch (error) {
    throw isContradiction(error)
      ? archiveInvalid(
          `event #${event.seq} (${event.type}) does not follow from the ones before it`,
        )
      : error;
  }
}

/** Whether an event failed because of what it says, and not because of the disk. */
const isContradiction = (error: unknown): boolean =>
  !(error instanceof Refusal) &&
  (error instanceof TypeError ||
    /^SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)/.test((error as { code?: string }).code ?? ""));

/** A person of this server, and whether they own the board. */
interface Place {
  readonly person: PersonRow;
  readonly owns: boolean;
}

/** Who gets a place on the board: the caller as an owner, first, and everybody who is named with their access of before. */
function placesFor(tx: ReadTx, board: BoardRow, caller: Caller, named: readonly string[]): Place[] {
  const places = new Map<number, Place>([
    [caller.person.row, { person: caller.person, owns: true }],
  ]);
  for (const pair of named) {
    const [foreign = "", local = ""] = pair.split("=").map((handle) => handle.slice(1));
    const before = membershipBefore(tx, board, foreign);
    const person = personNamed(tx, local);
    if (!person) throw refuse("person_not_found", { handle: local });
    const owns = before.access === "admin";
    if (owns && person.server_role === "guest")
      throw refuse("guest_never_owns", { handle: local, board: board.name });
    places.set(person.row, { person, owns: owns || places.get(person.row)?.owns === true });
  }
  return [...places.values()];
}

/** The membership of a person of the other server. It lasts until the import ends it. */
function membershipBefore(tx: ReadTx, board: BoardRow, handle: string): MemberRow {
  for (const { row } of standInsOf(tx, board.row).filter((one) => one.handle === handle)) {
    const member = membershipOf(tx, board.row, row);
    if (member?.status === "active") return member;
  }
  throw refuse("person_not_in_archive", { handle, board: board.name });
}

function join(tx: Tx, board: BoardRow, caller: Caller, { person, owns }: Place): MemberRow {
  const memberId = newId(tx, "mem");
  const name = freeMemberName(tx, board.row, person.handle);
  const own = { kind: "human", member_id: memberId, name, owner: null } as const;
  const importer = membershipOf(tx, board.row, caller.person.row);
  const actor = importer ? { ...own, member_id: importer.id, name: importer.name } : own;
  return beginStay(
    tx,
    board,
    actor,
    joinedPerson({
      member_id: memberId,
      person_id: person.id,
      name,
      access: owns ? "admin" : "member",
      join_code_id: null,
      ...(person.server_role === "guest" && { guest: true }),
    }),
  );
}
