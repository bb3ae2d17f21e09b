import type { DaemonAgent } from "../../../client/machine/daemon-wire.ts";
import { claimMessages, statesOf } from "../../../db/journal/deliveries.ts";
import { seatAt, type SessionKey } from "../../../db/journal/journal-sessions.ts";
import type { Peer, RawRequest } from "../../socket/listen.ts";
import { newHandoff } from "../handing/delivery.ts";
import type { LiveSession } from "../held/live-session.ts";
import { agentIn, RequestRefused } from "../held/requests.ts";
import type { SessionParts } from "../held/session-parts.ts";

/** The most messages of a claim. */
const mostClaimed = 1_000;

/**
 * Makes the part that serves commands while they show messages: what they read is not handed meanwhile, and what they have
 * shown counts as received, which `onClaim` is told of. Each keeps its connection open until it has printed.
 */
export function createReading(
  { db, options, feeds, open, within, look }: SessionParts,
  onClaim: (session: SessionKey, agent: DaemonAgent, seqs: readonly number[]) => void,
) {
  const readers = new WeakMap<Peer, DaemonAgent>();

  /** The open session that holds a seat, or null. */
  function holderOf(agent: DaemonAgent): LiveSession | null {
    const row = db.read((tx) => seatAt(tx, agent));
    const isHolder = ({ key }: LiveSession) =>
      key.harness === row?.harness && key.id === row.session;
    return open().find(isHolder) ?? null;
  }

  /** Keeps messages back as long as the command is connected. */
  function keepBack(peer: Peer, agent: DaemonAgent, release: () => void): void {
    readers.set(peer, agent);
    peer.onEnd(() => {
      release();
      const session = holderOf(agent);
      if (session) look(session);
    });
  }

  /** A command waits for the replies to a message that it has posted. */
  function hold(peer: Peer, request: RawRequest): void {
    const agent = agentIn(request);
    const to = numberIn(request["reply_to"], "reply_to");
    keepBack(peer, agent, feeds.withheld.replies(agent, to));
    peer.answer({ held: holderOf(agent) !== null });
  }

  /** A command reads the inbox of a seat. */
  async function inbox(peer: Peer, request: RawRequest): Promise<void> {
    const agent = agentIn(request);
    keepBack(peer, agent, feeds.withheld.all(agent));
    const session = holderOf(agent);
    // What is being handed at this moment is handed before the answer.
    const received = session && (await within(session, async () => receivedOf(agent)));
    peer.answer({ held: session !== null, received: received ?? [] });
  }

  /** What the session has received and the server still counts as unread. */
  const receivedOf = (agent: DaemonAgent): number[] =>
    [...db.read((tx) => statesOf(tx, agent))].flatMap(([seq, state]) =>
      state === "confirmed" ? [seq] : [],
    );

  /** A command has shown messages. */
  async function claim(peer: Peer, request: RawRequest): Promise<void> {
    const agent = readers.get(peer);
    if (agent === undefined) throw nothingRead();
    const seqs = seqsIn(request);
    const session = holderOf(agent);
    if (session === null) return void peer.answer({ claimed: [] });
    const { key, boot } = session;
    const claimed = await within(session, () => {
      const at = options.clock.now();
      return db.write((tx) =>
        claimMessages(tx, { id: newHandoff(at), session: key, boot, at }, agent, seqs),
      );
    });
    feeds.settle(key);
    onClaim(key, agent, claimed);
    peer.answer({ claimed });
  }

  return { hold, inbox, claim };
}

function numberIn(value: unknown, field: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new RequestRefused(
    "invalid_request",
    `\`${field}\` must be the number of a message.`,
    "Send it as a positive whole number.",
  );
}

function seqsIn({ seqs }: RawRequest): number[] {
  if (Array.isArray(seqs) && seqs.length <= mostClaimed)
    return seqs.map((seq) => numberIn(seq, "seqs"));
  throw new RequestRefused(
    "invalid_request",
    `\`seqs\` must be a list of at most ${mostClaimed} numbers of messages.`,
    "Send what was shown.",
  );
}

const nothingRead = () =>
  new RequestRefused(
    "invalid_request",
    "Nothing is read on this connection that could be claimed.",
    "Send `inbox` or `hold` first, on the same connection.",
  );
