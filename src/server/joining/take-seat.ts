import type { Static } from "@sinclair/typebox";
import type { JoinResult } from "../../contract/joining.ts";
import { refuse } from "../../contract/refusal.ts";
import { boardAt, type BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import type { JoinCodeRow } from "../../db/join-codes.ts";
import { insertSeatToken, type MemberRow } from "../../db/members.ts";
import type { Caller } from "../access/identify.ts";
import { actorOf } from "../actor.ts";
import { memberRecord } from "../agents/views.ts";
import { beginStay } from "../boards/begin-stay.ts";
import { policyOf } from "../access/board-policy.ts";
import { boardRecord } from "../boards/views.ts";
import type { Tools } from "../handler.ts";
import { newId } from "../ids.ts";
import { viaDelegation } from "./delegation-trace.ts";
import {
  agentNameBase,
  freeAgentNumber,
  freeMemberName,
  hasControls,
  memberNameTaken,
} from "../names.ts";

/** A board on which a person may give a session a seat now. */
export interface Entry {
  readonly board: BoardRow;
  /** The person's own member on the board. */
  readonly me: MemberRow;
  readonly role: string;
  readonly code: JoinCodeRow | null;
}

/** What a joining session says about itself. */
export interface SessionGiven {
  readonly name?: string;
  readonly harness?: string;
  readonly session?: string;
}

/** Makes a new agent with a token. Refuses a taken name. `id` is given if an earlier event already contains the agent's id. */
export function takeSeat(
  tx: Tx,
  caller: Caller,
  entry: Entry,
  given: SessionGiven,
  tools: Tools,
  id = newId(tx, "mem"),
): Static<typeof JoinResult> {
  const { board, me, role } = entry;
  const harness = harnessFrom(given.harness);
  const name = given.name ?? defaultName(tx, board, harness, role);
  if (given.name && memberNameTaken(tx, board.row, given.name))
    throw refuse("name_taken", { name: given.name, board: board.name });

  const agent = addAgent(tx, { ...entry, caller, id, harness, name });
  const token = tools.secrets.create("agent");
  insertSeatToken(tx, {
    member_row: agent.row,
    digest: tools.secrets.digest(token),
    key_row: caller.key.row,
    session: given.session ?? null,
  });
  return joinResult(tx, caller, { board, me, agent, token });
}

/** The answer to a session that got a seat. */
export const joinResult = (
  tx: ReadTx,
  caller: Caller,
  seat: { board: BoardRow; me: MemberRow; agent: MemberRow; token: string },
): Static<typeof JoinResult> => ({
  agent: memberRecord(tx, seat.board, seat.agent, seat.me),
  token: seat.token,
  board: boardRecord(tx, boardAt(tx, seat.board.row)!, seat.me, caller),
});

function harnessFrom(given: string | undefined): string | null {
  const harness = given?.trim() || null;
  if (harness && hasControls(harness))
    throw refuse("invalid_combination", { problem: "harness holds control characters" });
  return harness;
}

function addAgent(
  tx: Tx,
  seat: Entry & { caller: Caller; id: string; harness: string | null; name: string },
): MemberRow {
  const { board, me, caller, id, role, harness, name, code } = seat;
  return beginStay(tx, board, actorOf(caller, me), {
    member_id: id,
    person_id: caller.person.id,
    name,
    kind: "agent",
    role,
    owner: caller.person.handle,
    harness,
    access: null,
    join_code_id: code?.id ?? null,
    ...viaDelegation(caller),
  });
}

function defaultName(tx: ReadTx, board: BoardRow, harness: string | null, role: string): string {
  return policyOf(board).show_harness
    ? freeMemberName(tx, board.row, agentNameBase(harness, role))
    : freeAgentNumber(tx, board.row);
}
