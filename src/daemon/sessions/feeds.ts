import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { Db } from "../../db/engine/database.ts";
import { acknowledgeUpTo, statesOf } from "../../db/journal/deliveries.ts";
import { seatsOf, type SeatRow, type SessionKey } from "../../db/journal/journal-sessions.ts";
import { followSeat, type SeatFeed } from "../servers/seat-feed.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { HeldSeat } from "./bundle.ts";

/** The seats that the daemon follows. */
export interface Feeds {
  /** Follows the seats of an open session, and no longer those that it lost. */
  follow(session: SessionKey): void;
  /** Ends the streams of a session's seats. */
  leave(session: SessionKey): Promise<void>;
  report(session: SessionKey, presence: "working" | "idle"): void;
  /** The session's seats with what is known of them. */
  seatsOf(session: SessionKey): HeldSeat[];
  /** Acknowledges what was confirmed together with everything before it. */
  settle(session: SessionKey): void;
  all(): readonly SeatFeed[];
  /** Ends every stream, and waits for acknowledgements that are on their way. */
  stop(): Promise<void>;
}

const keyOf = ({ server, member_id }: Pick<SeatRow, "server" | "member_id">) =>
  `${server} ${member_id}`;
export const agentOf = ({ server, board, name, member_id }: SeatRow): DaemonAgent => ({
  ...{ server, board, name, member_id },
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
  const acknowledging = new Set<Promise<unknown>>();
  let isStopped = false;
  const held = (session: SessionKey) =>
    db.read((tx) => seatsOf(tx, session).map((row) => ({ row, states: statesOf(tx, row) })));
  const isOf = (one: SessionKey, other: SessionKey) =>
    one.harness === other.harness && one.id === other.id;

  /** Notes how far the server says that a seat has read. What is not noted is learned again at the next start. */
  function notePosition(row: SeatRow, position: number): void {
    if (isStopped) return;
    db.write((tx) => acknowledgeUpTo(tx, row, position)).catch((error: unknown) =>
      log(`noting a position of ${row.name}: ${String(error)}`),
    );
  }

  async function settleSeat(session: SessionKey, row: SeatRow): Promise<void> {
    const entry = feeds.get(keyOf(row));
    if (!entry || entry.acking) return;
    const states = db.read((tx) => statesOf(tx, row));
    let upTo = 0;
    for (const seq of [...entry.feed.unread.keys()].sort((a, b) => a - b)) {
      if (states.get(seq) !== "confirmed") break;
      upTo = seq;
    }
    if (upTo === 0) return;
    entry.acking = true;
    let isDone = false;
    const acknowledged = entry.feed.acknowledge(upTo);
    acknowledging.add(acknowledged);
    try {
      await acknowledged;
      isDone = true;
    } catch (error) {
      log(`acknowledging ${upTo} for ${row.name}: ${error instanceof Error ? error.message : "?"}`);
      clock.after(retryMs, () => onNews(session));
    } finally {
      entry.acking = false;
      acknowledging.delete(acknowledged);
    }
    // More may have been confirmed meanwhile.
    if (isDone && !isStopped) await settleSeat(session, row);
  }

  return {
    follow(session) {
      const rows = held(session).map(({ row }) => row);
      const keys = new Set(rows.map(keyOf));
      for (const [key, { feed, session: of }] of feeds)
        if (isOf(of, session) && !keys.has(key)) {
          feed.stop();
          feeds.delete(key);
        }
      for (const row of rows) {
        const known = feeds.get(keyOf(row));
        // A stream that has stopped for good begins again: the seat may have another token by now.
        if (known && isOf(known.session, session) && known.feed.stopped === null) continue;
        known?.feed.stop();
        const feed = followSeat({
          agent: agentOf(row),
          ...{ clock, clientOf, log },
          onNews: () => onNews(session),
          onPosition: (position) => notePosition(row, position),
        });
        feeds.set(keyOf(row), { feed, session, acking: false });
      }
    },
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
    seatsOf: (session) =>
      held(session).flatMap(({ row, states }) => {
        const entry = feeds.get(keyOf(row));
        return entry ? [{ feed: entry.feed, generation: row.generation, states }] : [];
      }),
    settle(session) {
      for (const { row } of held(session))
        settleSeat(session, row).catch((error: unknown) =>
          log(`acknowledging for ${row.name}: ${String(error)}`),
        );
    },
    all: () => [...feeds.values()].map(({ feed }) => feed),
    async stop() {
      for (const { feed } of feeds.values()) feed.stop();
      const late = Promise.withResolvers<void>();
      const cancel = clock.after(lastWaitMs, late.resolve);
      await Promise.race([Promise.allSettled(acknowledging), late.promise]);
      cancel();
      isStopped = true;
      feeds.clear();
    },
  };
}
