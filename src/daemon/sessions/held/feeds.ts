import { atMost } from "../../loop/time-limit.ts";
import { createTroubles } from "../../loop/troubles.ts";
import type { DaemonAgent } from "../../../client/machine/daemon-wire.ts";
import type { Db } from "../../../db/engine/database.ts";
import { keepMode, keptModeOf, type KeptMode } from "../../../db/journal/delivery-modes.ts";
import { noteServer } from "../../../db/journal/server-generations.ts";
import { acknowledgeUpTo, statesOf } from "../../../db/journal/deliveries.ts";
import {
  seatAt,
  seatsOf,
  type SeatKey,
  type SeatRow,
  type SessionKey,
} from "../../../db/journal/journal-sessions.ts";
import { followSeat, type SeatFeed } from "../../servers/seat-feed.ts";
import type { Message } from "../../servers/reaching.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { HeldSeat } from "./bundle.ts";
import { seatKeyOf } from "./live-session.ts";
import { createWithheld, type Withheld } from "./withheld.ts";

/** The seats that the daemon follows. */
export interface Feeds {
  /** Follows the seats of an open session, and no longer those that it lost. */
  follow(session: SessionKey): void;
  /** Ends the streams of a session's seats. */
  leave(session: SessionKey): Promise<void>;
  /** Begins the stream of a seat anew, whose token is another one now. */
  renew(seat: SeatKey): void;
  /** Takes the mode of a seat that a command has just set. */
  tellMode(seat: SeatKey, told: KeptMode): void;
  report(session: SessionKey, presence: "working" | "idle"): void;
  /** What is kept from sessions because commands show it. */
  readonly withheld: Withheld;
  /** The session's seats with what is known of them. */
  seatsOf(session: SessionKey): HeldSeat[];
  /** Calls `act` with each seat of a session in which something was confirmed, before it is acknowledged. */
  onConfirmed(act: (session: SessionKey, seat: HeldSeat) => void): void;
  /** Acknowledges what was confirmed together with everything before it. */
  settle(session: SessionKey): void;
  all(): readonly SeatFeed[];
  /** Opens every stream anew. */
  reconnect(): void;
  /** Ends every stream, and waits for acknowledgements that are on their way. */
  stop(): Promise<void>;
}

export const agentOf = ({ server, board, name, member_id }: SeatRow): DaemonAgent => ({
  server,
  board,
  name,
  member_id,
});
const retryMs = 5_000;
/** How long a daemon that stops waits for its last acknowledgements. */
const lastWaitMs = 5_000;

/** Makes the set of followed seats. `onNews` is called with a session when something of its seats changed. */
export function createFeeds(
  db: Db,
  { clock, clientOf, log }: DaemonOptions,
  onNews: (session: SessionKey) => void,
): Feeds {
  const feeds = new Map<string, { feed: SeatFeed; session: SessionKey; acking: boolean }>();
  const withheld = createWithheld();
  const troubles = createTroubles(log);
  const watchers: Parameters<Feeds["onConfirmed"]>[0][] = [];
  const acknowledging = new Set<Promise<unknown>>();
  let isStopped = false;
  const held = (session: SessionKey) =>
    db.read((tx) => seatsOf(tx, session).map((row) => ({ row, states: statesOf(tx, row) })));
  const isOf = (one: SessionKey, other: SessionKey) =>
    one.harness === other.harness && one.id === other.id;

  /** Whether no session holds the seat. */
  const isFree = (seat: SeatKey) => db.read((tx) => seatAt(tx, seat))?.session === null;

  /** Notes how far the server says that a seat has read. What is not noted is learned again at the next start. */
  function notePosition(session: SessionKey, row: SeatRow, position: number): void {
    if (isStopped) return;
    db.write((tx) => acknowledgeUpTo(tx, row, position))
      .then((count) => {
        if (count > 0 && !isStopped) onNews(session);
      })
      .catch((error: unknown) => log(`noting a position of ${row.name}: ${String(error)}`));
  }

  function noteMode(row: SeatRow, known: KeptMode): void {
    if (isStopped) return;
    db.write((tx) => keepMode(tx, row, known)).catch((error: unknown) =>
      log(`keeping the mode of ${row.name}: ${String(error)}`),
    );
  }

  async function settleSeat(session: SessionKey, row: SeatRow): Promise<void> {
    const entry = feeds.get(seatKeyOf(row));
    // A server that was restored while no stream was open may have other messages under the same numbers.
    if (!entry?.feed.connected || entry.acking) return;
    const states = db.read((tx) => statesOf(tx, row));
    let upTo = 0;
    for (const seq of [...entry.feed.unread.keys()].sort((a, b) => a - b)) {
      if (seq > entry.feed.wholeUpTo || states.get(seq) !== "confirmed") break;
      upTo = seq;
    }
    if (upTo === 0) return;
    entry.acking = true;
    let isDone = false;
    const place = `acknowledging for ${row.name} on ${row.board}`;
    const acknowledged = entry.feed.acknowledge(upTo);
    acknowledging.add(acknowledged);
    try {
      await acknowledged;
      isDone = true;
      troubles.over(place);
    } catch (error) {
      troubles.say(place, error instanceof Error ? error.message : "?");
      clock.after(retryMs, () => onNews(session));
    } finally {
      entry.acking = false;
      acknowledging.delete(acknowledged);
    }
    // More may have been confirmed meanwhile.
    if (isDone && !isStopped) await settleSeat(session, row);
  }

  const seatsIn = (session: SessionKey): HeldSeat[] =>
    held(session).flatMap(({ row, states }) => {
      const entry = feeds.get(seatKeyOf(row));
      if (!entry) return [];
      const isWithheld = (message: Message) => withheld.has(row, message);
      return [{ feed: entry.feed, generation: row.generation, states, isWithheld }];
    });

  return {
    withheld,
    follow(session) {
      const rows = db.read((tx) => seatsOf(tx, session));
      const keys = new Set(rows.map(seatKeyOf));
      for (const [key, { feed, session: of }] of feeds)
        if (isOf(of, session) && !keys.has(key)) {
          if (isFree(feed.agent)) void feed.report("no_session");
          feed.stop();
          feeds.delete(key);
        }
      for (const row of rows) {
        const known = feeds.get(seatKeyOf(row));
        // A stream that has stopped for good begins again: the seat may have another token by now.
        if (known && isOf(known.session, session) && known.feed.stopped === null) continue;
        known?.feed.stop();
        const feed = followSeat({
          agent: agentOf(row),
          clock,
          clientOf,
          log,
          kept: db.read((tx) => keptModeOf(tx, row)),
          onMode: (known) => noteMode(row, known),
          onNews: () => onNews(session),
          onReady: async (generation, position) => {
            if (!isStopped) await db.write((tx) => noteServer(tx, row, generation, position));
          },
          onPosition: (position) => notePosition(session, row, position),
        });
        feeds.set(seatKeyOf(row), { feed, session, acking: false });
      }
    },
    renew(seat) {
      const entry = feeds.get(seatKeyOf(seat));
      entry?.feed.stop();
      feeds.delete(seatKeyOf(seat));
    },
    tellMode: (seat, told) => feeds.get(seatKeyOf(seat))?.feed.tellMode(told),
    async leave(session) {
      const ending = [...feeds].filter(([, entry]) => isOf(entry.session, session));
      for (const [key, { feed }] of ending) {
        feed.stop();
        feeds.delete(key);
      }
      await Promise.all(ending.map(([, { feed }]) => feed.report("no_session")));
    },
    report(session, presence) {
      for (const { feed, session: of } of feeds.values())
        if (isOf(of, session)) void feed.report(presence);
    },
    seatsOf: seatsIn,
    onConfirmed: (act) => void watchers.push(act),
    settle(session) {
      for (const seat of seatsIn(session)) for (const act of watchers) act(session, seat);
      for (const { row } of held(session))
        settleSeat(session, row).catch((error: unknown) =>
          log(`acknowledging for ${row.name}: ${String(error)}`),
        );
    },
    reconnect: () => {
      for (const { feed } of feeds.values()) feed.reconnect();
    },
    all: () => [...feeds.values()].map(({ feed }) => feed),
    async stop() {
      for (const { feed } of feeds.values()) feed.stop();
      await atMost(clock, lastWaitMs, Promise.allSettled(acknowledging));
      isStopped = true;
      feeds.clear();
    },
  };
}
