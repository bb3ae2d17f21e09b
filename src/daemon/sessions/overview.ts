import type { DaemonStatus, Trouble } from "../../client/machine/daemon-wire.ts";
import type { Db, ReadTx } from "../../db/engine/database.ts";
import { keptModeOf } from "../../db/journal/delivery-modes.ts";
import { handedIn, handoffsWithoutTurn } from "../../db/journal/deliveries.ts";
import { allSessions, seatsOf, sessionAt } from "../../db/journal/journal-sessions.ts";
import type { SeatFeed } from "../servers/seat-feed.ts";
import { chosenFor, type HeldSeat } from "./held/bundle.ts";
import { agentOf, type Feeds } from "./held/feeds.ts";
import { fittingStatus } from "./fitting-status.ts";
import type { LiveSession } from "./held/live-session.ts";

/** After so long a text that was handed to an idle session and began no turn counts as stalled. */
const stalledMs = 10_000;

type Overview = Pick<DaemonStatus, "servers" | "agents" | "attention" | "stalled" | "bindings">;

/** What the daemon's status says about sessions and seats. */
export function overviewOf(
  db: Db,
  feeds: Feeds,
  live: readonly LiveSession[],
  now: number,
): Overview {
  const sessions = live.map((session) => ({ session, seats: feeds.seatsOf(session.key) }));
  return fittingStatus({
    servers: [...Map.groupBy(feeds.all(), ({ agent }) => agent.server)].map(([url, all]) => ({
      url,
      connected: all.some(({ connected }) => connected),
    })),
    agents: [
      ...feeds.all().flatMap((feed) => {
        const reason = troubleOf(feed);
        return reason === null ? [] : [{ agent: feed.agent, reason }];
      }),
      ...sessions.flatMap(({ session, seats }) => unwrittenOf(session, seats)),
    ],
    attention: sessions.flatMap(({ session, seats }) => attentionOf(session, seats)),
    stalled: db.read((tx) =>
      sessions.flatMap(({ session, seats }) => stalledOf(tx, session, seats, now)),
    ),
    bindings: db.read(bindingsIn),
  });
}

/** Why a seat gets nothing from its server, or null. */
function troubleOf({ stopped, failing, unknownMode }: SeatFeed): string | null {
  if (stopped !== null) return stopped;
  if (failing) return "server_unreachable";
  return unknownMode === null ? null : "delivery_mode_unknown";
}

const bindingsIn = (tx: ReadTx): DaemonStatus["bindings"] =>
  allSessions(tx).flatMap((row) =>
    seatsOf(tx, row).map((seat) => ({
      agent: agentOf(seat),
      session: `${row.harness}:${row.id}`,
      open: row.open === 1,
      turned: row.turned === 1,
      ...keptModeOf(tx, seat),
    })),
  );

/** The seats of a session for which something waits that the journal does not take. */
const unwrittenOf = ({ handFailures }: LiveSession, seats: readonly HeldSeat[]) =>
  handFailures === 0
    ? []
    : seats
        .filter((seat) => chosenFor("wake", seat).length > 0)
        .map(({ feed: { agent } }) => ({ agent, reason: "handoff_failed" }));

/** What is given up for a session, by seat. */
function attentionOf(session: LiveSession, seats: readonly HeldSeat[]): Trouble[] {
  const { attention: reason } = session;
  if (reason === null) return [];
  return seats.flatMap((seat) => {
    const handed = [...seat.states].flatMap(([seq, state]) => (state === "handed" ? [seq] : []));
    const waiting = chosenFor("wake", seat).map(({ seq }) => seq);
    const seqs = [...new Set([...handed, ...waiting])].sort((one, other) => one - other);
    return seqs.length === 0 ? [] : [{ agent: seat.feed.agent, seqs, reason }];
  });
}

/** What cannot be handed at the moment, and what was handed and gets no turn: its person stopped it, or its turns are seen and none began. */
function stalledOf(
  tx: ReadTx,
  { key, turnSeenAt, paused, away }: LiveSession,
  seats: readonly HeldSeat[],
  now: number,
): Trouble[] {
  const isSeen = sessionAt(tx, key)?.turned === 1;
  const held = seats.flatMap((seat) => {
    const seqs = away === null ? [] : chosenFor("wake", seat).map(({ seq }) => seq);
    return away === null || seqs.length === 0
      ? []
      : [{ agent: seat.feed.agent, seqs, reason: away }];
  });
  const handed = handoffsWithoutTurn(tx, key).flatMap(({ id, at }) => {
    if (paused.has(id)) return troublesOf(tx, seats, id, "paused");
    if (!isSeen || turnSeenAt >= at || now - at < stalledMs) return [];
    return troublesOf(tx, seats, id, "no_turn_started");
  });
  return [...held, ...handed];
}

/** A trouble with a text, for each seat that has messages in it. */
function troublesOf(
  tx: ReadTx,
  seats: readonly HeldSeat[],
  handoff: string,
  reason: string,
): Trouble[] {
  const messages = handedIn(tx, handoff);
  return seats.flatMap(({ feed: { agent } }) => {
    const own = messages.filter(
      ({ server, member_id }) => server === agent.server && member_id === agent.member_id,
    );
    const seqs = own.map(({ seq }) => seq);
    return seqs.length === 0 ? [] : [{ agent, seqs, reason }];
  });
}
