import type { Access } from "../../contract/access.ts";
import type { Operation } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import { boardAt } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { messageAt, placeOfMessage } from "../../db/messages.ts";
import type { PairingSide } from "../../db/pairing-endpoints.ts";
import { boardRowOf } from "../../db/log/log-place.ts";
import { requireActive } from "./archived-boards.ts";
import { refuseGuest } from "./guests.ts";
import { ownAgentWithId } from "./own-agent.ts";
import { readerOn } from "./readable-messages.ts";
import { pairingOfCaller, requireSide } from "./pairing-sides.ts";
import {
  boardCalled,
  memberOn,
  reaching,
  requireMember,
  seeing,
  type OnBoard,
  type Reach,
  type Seen,
} from "./visible-boards.ts";
import { admitKind, identify, type Caller, type Presented } from "./identify.ts";
import { subjectOf, valueOf, type Asked } from "./request-subject.ts";
import { looksAtRole } from "./required-role.ts";
import { actsAsServerAdmin, requireServerAdmin } from "./server-admin.ts";
import type { Party, Standing } from "./caller-standing.ts";

/**
 * Decides whether the caller may make this operation, and where they stand if so. Every request, every kept answer and
 * every turn of a wait passes here, inside the transaction that serves it. The order of the checks is part of the contract.
 * `requireRight` runs after it and refuses what the caller's role does not allow.
 */
export function admit(
  tx: ReadTx,
  op: Operation,
  presented: Presented | null,
  asked: Asked,
  { replay = false } = {},
): Standing {
  if (op.access === "anyone") return { caller: null };
  const caller = identify(tx, presented);
  admitKind(op, caller.kind);
  // If the path names a board or a message, guests first learn whether it exists for them (404), then that they may not (403).
  if (op.names || !standsInPath.includes(op.access)) refuseGuest(op, caller);
  const standing = standingOf(tx, op, caller, asked);
  if ("board" in standing && op.lifecycle === "active" && !replay && !looksAtRole(op))
    requireActive(tx, standing.board);
  return standing;
}

const standsInPath: readonly Access[] = [
  ...(["sees-board", "on-board", "owns-board", "administers-board"] as const),
  ...(["reaches-board", "keeps-board", "reads-message"] as const),
];

function standingOf(tx: ReadTx, op: Operation, caller: Caller, asked: Asked): Standing {
  const name = subjectOf(op, asked);
  switch (op.access) {
    case "anyone":
    case "caller":
      return { caller };
    case "server-admin":
      requireServerAdmin(tx, caller);
      return { caller };
    case "seat":
      return onOwnBoard(tx, caller);
    case "reads-message":
      return readingMessage(tx, op, caller, name ?? "");
    case "sees-board":
    case "on-board":
    case "owns-board":
    case "administers-board":
      return onNamedBoard(tx, op, caller, name ?? "");
    case "reaches-board":
    case "keeps-board":
      return reachingBoard(tx, op, caller, name ?? "");
    case "party-to-pairing":
    case "party-on-board":
      return partyTo(tx, op, caller, name ?? "", asked);
    case "own-agent":
      return { caller, agent: name === null ? null : ownAgentWithId(tx, caller, name) };
  }
}

function onOwnBoard(tx: ReadTx, caller: Caller): OnBoard {
  const board = caller.seat && boardAt(tx, caller.seat.board_row);
  if (!caller.seat || !board) throw refuse("agent_token_required");
  return { caller, board, me: caller.seat };
}

function onNamedBoard(tx: ReadTx, op: Operation, caller: Caller, name: string): Seen {
  const seen = seeing(tx, caller, boardCalled(tx, name), name);
  refuseGuest(op, caller);
  if (op.access !== "sees-board") requireMember(seen);
  return seen;
}

function reachingBoard(tx: ReadTx, op: Operation, caller: Caller, name: string): Reach {
  const reach = reaching(tx, caller, name);
  refuseGuest(op, caller);
  if (!actsAsServerAdmin(caller)) requireMember(reach);
  return reach;
}

function readingMessage(
  tx: ReadTx,
  op: Operation,
  caller: Caller,
  id: string,
): Standing<"reads-message"> {
  const place = placeOfMessage(tx, id);
  const board = place === null ? null : boardAt(tx, boardRowOf(place));
  const me = board && memberOn(tx, caller, board);
  const message = place !== null && board && me ? messageAt(tx, place, readerOn(board, me)) : null;
  if (!board || !me || !message) throw refuse("message_not_found");
  refuseGuest(op, caller);
  return { caller, board, me, message };
}

function partyTo(tx: ReadTx, op: Operation, caller: Caller, id: string, asked: Asked): Party {
  const party = { caller, ...pairingOfCaller(tx, caller, id) };
  const side = typeof op.side === "object" ? valueOf(asked, op.side) : op.side;
  // Nobody is on a missing or unknown side, so it is refused.
  if (op.side !== undefined) requireSide(party, side as PairingSide);
  if (op.access === "party-on-board") requireMember(party);
  return party;
}
