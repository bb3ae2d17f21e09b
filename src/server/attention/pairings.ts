import { openPairingsOf } from "../../db/attention.ts";
import type { PairingRow } from "../../db/pairings.ts";
import { findPairing, type PairingOfCaller } from "../access/pairing-sides.ts";
import { activeMembership } from "../../db/members.ts";
import { memberRefAt } from "../member-ref.ts";
import { progressOf } from "../pairing/pairing-progress.ts";
import { pairingRecord } from "../pairing/views.ts";
import { afterSeconds } from "../time.ts";
import type { Kind, Open, Shown } from "./item.ts";
import { cut } from "./shown-message.ts";
import type { View } from "./view.ts";

/** A request may wait for its person again because a key or a seat of the other side ended, which signals nobody. */
const lookAgainSeconds = 20;

/** Pairing requests that wait for the person: for their session, or for their acceptance. */
export const pairings: Kind = (view) => {
  const { tx, caller } = view;
  // Pairing is not open to guests.
  if (caller.person.server_role === "guest") return { open: [] };
  const rows = openPairingsOf(tx, caller.person.row);
  return {
    open: rows.flatMap((row) => openPairing(view, row)),
    changesAt:
      rows.length > 0
        ? [afterSeconds(tx.now, lookAgainSeconds), ...rows.map(({ expires_at }) => expires_at)]
        : [],
    // A board that turns private is hidden from a recipient who is not on it.
    topics: rows.map(({ board_row }) => `head:${board_row}` as const),
  };
};

function openPairing({ tx, caller }: View, row: PairingRow): Open[] {
  const reached = findPairing(tx, caller, row);
  if (!reached || reached.board.lifecycle !== "active") return [];
  const { state, awaiting } = progressOf(tx, row);
  const waits = awaiting.some((side) => reached.sides.includes(side));
  // While it is verified, the two agents write to each other and their people wait.
  if (!waits || state === "verifying") return [];
  return [
    {
      kind: "pairing",
      cause: `${row.id}.${row.generation}`,
      urgency: "now",
      at: row.created_at,
      board: reached.board,
      mark: state,
      show: (server) => shownPairing(tx, reached, server),
    },
  ];
}

function shownPairing(
  tx: View["tx"],
  reached: PairingOfCaller,
  server: Parameters<Open["show"]>[0],
): Shown {
  const { pairing, board, sides } = reached;
  const { next, display } = pairingRecord(tx, reached, server);
  const isRecipient = sides.includes("recipient");
  const otherRow = isRecipient ? pairing.inviter_row : pairing.recipient_row;
  const other = otherRow === null ? null : activeMembership(tx, board.row, otherRow);
  const name = display?.person_handle;
  return {
    from: other && memberRefAt(tx, other.row),
    title: isRecipient
      ? `@${name ?? "somebody"} asks for a session of yours to work with theirs`
      : "Your pairing request waits for your agent's session",
    text: cut(pairing.work),
    ref: { board_id: board.id, pairing_request_id: pairing.id, until: pairing.expires_at },
    actions: [
      ...(next ? [{ name: "open" as const, command: next.command }] : []),
      ...(isRecipient
        ? [{ name: "decline" as const, command: `service pairing decline ${pairing.id}` }]
        : []),
    ],
  };
}
