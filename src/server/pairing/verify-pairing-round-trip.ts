import type { InputOf } from "../../contract/index.ts";
import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt, type MemberRow } from "../../db/members.ts";
import { messageAt, postedAt, type MessageRow } from "../../db/messages.ts";
import { evidenceOf, insertEvidence, type PairingSide } from "../../db/pairing-endpoints.ts";
import { pairingAt, setReady, type PairingRow } from "../../db/pairings.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { credentialOf } from "../access/pairing-sides.ts";
import { pairingChanged, refuseClosed } from "./refusals.ts";
import { progressOf } from "./pairing-progress.ts";
import { pairingRecord } from "./views.ts";

type Body = InputOf<"verifyPairingRoundTrip">["body"];

export const verifyPairingRoundTrip: Handler<"verifyPairingRoundTrip"> = (
  tx,
  party,
  { body },
  { server },
) => {
  const { pairing, board } = party;
  const credential = credentialOf(party);
  if (body.generation !== credential.generation)
    throw pairingChanged(pairing, "this credential belongs to another generation");
  if (!body.direction.startsWith(credential.side))
    throw unproved("direction belongs to the other side");
  refuseClosed(tx, pairing, "ready");

  const told = evidenceOf(tx, pairing.row, credential.side);
  const isSame = told?.ping_seq === body.ping_seq && told.reply_seq === body.reply_seq;
  if (told?.handoff_id === body.handoff_id && !isSame)
    throw pairingChanged(pairing, "handoff_id was reported with other messages before");
  if (!told) {
    const peer = peerOf(tx, pairing, credential.side);
    prove(tx, pairing, board, memberAt(tx, credential.member_row)!, peer, body);
    insertEvidence(tx, {
      request_row: pairing.row,
      side: credential.side,
      ping_seq: body.ping_seq,
      reply_seq: body.reply_seq,
      handoff_id: body.handoff_id,
      credential_row: credential.row,
    });
    if (evidenceOf(tx, pairing.row, otherSide(credential.side))) setReady(tx, pairing.row);
  }
  return pairingRecord(tx, { ...party, pairing: pairingAt(tx, pairing.row)! }, server);
};

const unproved = (problem: string) => refuse("invalid_combination", { problem });
const otherSide = (side: PairingSide): PairingSide =>
  side === "initiator" ? "recipient" : "initiator";

/** The agent of the other side. Refuses until both sides have a session and the recipient's session has accepted. */
function peerOf(tx: ReadTx, pairing: PairingRow, side: PairingSide): MemberRow {
  const progress = progressOf(tx, pairing);
  if (progress.state !== "verifying")
    throw pairingChanged(pairing, `it is ${progress.state}, so there is nothing to verify yet`);
  return memberAt(tx, progress[otherSide(side)]!.member_row)!;
}

/**
 * Refuses unless `ping_seq` is a message to the peer alone, `reply_seq` is the peer's direct reply, and both came after
 * the sessions were selected.
 */
function prove(
  tx: ReadTx,
  pairing: PairingRow,
  board: BoardRow,
  own: MemberRow,
  peer: MemberRow,
  { ping_seq, reply_seq }: Body,
): void {
  const message = (seq: number) => messageAt(tx, placeOf(board.row, seq), readerOn(board, own));
  const ping = message(ping_seq);
  if (!ping || !isDirect(tx, ping, own, peer))
    throw unproved(`#${ping_seq} is not a message from this agent to the other agent alone`);
  const reply = message(reply_seq);
  if (!reply || !isDirect(tx, reply, peer, own) || reply.reply_to !== ping.place)
    throw unproved(`#${reply_seq} is not a direct reply from the other agent to this one alone`);
  if (ping_seq <= pairing.since_seq)
    throw pairingChanged(pairing, `#${ping_seq} was posted before the sessions were selected`);
}

/** Whether a message addresses one member by name and nobody else. */
function isDirect(tx: ReadTx, message: MessageRow, from: MemberRow, to: MemberRow): boolean {
  const { data } = postedAt(tx, message.place);
  return (
    message.sender_row === from.row &&
    data.to.length === 1 &&
    data.to[0] === `@${to.name}` &&
    data.recipients?.length === 1 &&
    data.recipients[0] === to.id
  );
}
