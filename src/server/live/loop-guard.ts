import { mostExchanges } from "../../contract/limits.ts";
import type { Db } from "../../db/engine/database.ts";
import type { AgentOnBoard, LoopGuard } from "../handler.ts";
import type { Hub } from "./hub.ts";

/** Two agents that wrote nothing waking to each other for so long, in milliseconds, begin anew; so does an agent in a ring. */
const silenceMs = 30 * 60 * 1000;
/** Each of the two must have written so many, so that handing out work to a silent agent goes on. */
const leastOfEach = 5;
/** An agent in a ring wrote so many messages that woke others, and was woken by so many. */
const mostInRing = 60;
/** So many counts are kept. If there would be more, all are forgotten, as they are by a restart. */
const mostCounts = 200_000;

/** What two agents have posted to each other since the last sign of work. */
interface Pair {
  /** Position in the order of counts and signs of work. */
  readonly order: number;
  /** When the newest was posted, in milliseconds since 1970. */
  readonly at: number;
  readonly byLower: number;
  readonly byHigher: number;
}
/** What an agent has posted that woke others, and how often others have woken it, since the last sign of work. */
interface InRing {
  readonly order: number;
  /** When it last posted something that woke others, in milliseconds since 1970; 0 if it has not. */
  readonly at: number;
  readonly wrote: number;
  readonly woken: number;
}
/** A value in memory before it was changed. */
interface Change {
  readonly map: Map<number, unknown>;
  readonly key: number;
  readonly before: unknown;
}

/** Makes empty counts that learn from a database's commits what agents do with tasks and files. */
export function createLoopGuard(db: Pick<Db, "onCommit">, hub: Pick<Hub, "isAwaited">): LoopGuard {
  const pairs = new Map<number, Pair>();
  const rings = new Map<number, InRing>();
  /** When agents last asked for their messages with a wait, in milliseconds since 1970. */
  const waits = new Map<number, number>();
  /** Positions of the last signs of work: of an agent, of a board's people, and of anybody on a board. */
  const signs = { agents: new Map<number, number>(), people: new Map(), boards: new Map() };
  const all = [pairs, rings, waits, ...Object.values(signs)] as Map<number, unknown>[];
  let order = 0;

  /** Sets a value, and notes in `changes` what it was. */
  function put<T>(map: Map<number, T>, key: number, value: T, changes?: Change[]): void {
    changes?.push({ map: map as Map<number, unknown>, key, before: map.get(key) });
    map.set(key, value);
    if (map.size > mostCounts) for (const each of all) each.clear();
  }
  function pairOf(boardRow: number, one: number, other: number, now: number): Pair {
    const known = pairs.get(pairKey(one, other));
    const signed = Math.max(
      signs.people.get(boardRow) ?? 0,
      signs.agents.get(one) ?? 0,
      signs.agents.get(other) ?? 0,
    );
    const holds = known && known.order > signed && now - known.at < silenceMs;
    return holds ? known : { order: 0, at: now, byLower: 0, byHigher: 0 };
  }
  function ringOf(boardRow: number, row: number): InRing {
    const known = rings.get(row);
    const holds = known && known.order > (signs.boards.get(boardRow) ?? 0);
    return holds ? known : { order: 0, at: 0, wrote: 0, woken: 0 };
  }
  /** What an agent has done in a ring when it writes: after a long silence it begins anew. */
  function ringOfWriter({ row, boardRow }: AgentOnBoard, now: number): InRing {
    const ring = ringOf(boardRow, row);
    return now - ring.at < silenceMs || ring.at === 0 ? ring : { ...ring, wrote: 0, woken: 0 };
  }
  function sign({ row, boardRow }: AgentOnBoard, changes?: Change[]): void {
    put(signs.agents, row, ++order, changes);
    put(signs.boards, boardRow, order, changes);
  }

  db.onCommit((signals) => {
    for (const signal of signals)
      if (signal.about === "work") sign({ row: signal.memberRow, boardRow: signal.boardRow });
  });

  return {
    waits(row, now) {
      const asked = waits.get(row);
      const lately = asked !== undefined && Date.parse(now) - asked < silenceMs;
      return lately || hub.isAwaited(`inbox:${row}`);
    },
    asksToWait: (row, now) => put(waits, row, Date.parse(now)),
    weigh(tx, sender, woken) {
      if (woken.length === 0) return { damped: [], ring: false };
      const { row: from, boardRow } = sender;
      const now = Date.parse(tx.now);
      const changes: Change[] = [];
      const damped: number[] = [];
      const own = ringOfWriter(sender, now);
      const ring = own.wrote >= mostInRing && own.woken >= mostInRing;
      order++;
      for (const row of woken) {
        const before = pairOf(boardRow, from, row, now);
        const byLower = before.byLower + (from < row ? 1 : 0);
        const byHigher = before.byHigher + (from < row ? 0 : 1);
        put(pairs, pairKey(from, row), { order, at: now, byLower, byHigher }, changes);
        const isLoop =
          byLower + byHigher > mostExchanges && Math.min(byLower, byHigher) >= leastOfEach;
        if (ring || isLoop) damped.push(row);
        else {
          const { at, wrote, woken: times } = ringOf(boardRow, row);
          put(rings, row, { order, at, wrote, woken: times + 1 }, changes);
        }
      }
      // In a ring counts only what did wake: two damped agents that go on writing to each other are no ring.
      const wrote = own.wrote + (damped.length < woken.length ? 1 : 0);
      put(rings, from, { order, at: now, wrote, woken: own.woken }, changes);
      tx.onUndo(() => takeBack(changes));
      return { damped, ring };
    },
    personWrote(tx, boardRow) {
      const changes: Change[] = [];
      put(signs.people, boardRow, ++order, changes);
      put(signs.boards, boardRow, order, changes);
      tx.onUndo(() => takeBack(changes));
    },
    worked(tx, agent) {
      const changes: Change[] = [];
      sign(agent, changes);
      tx.onUndo(() => takeBack(changes));
    },
  };
}

function takeBack(changes: readonly Change[]): void {
  for (const { map, key, before } of changes.toReversed())
    if (before === undefined) map.delete(key);
    else map.set(key, before);
}

/** A number for two agents, whichever comes first. Rows of members stay far below 2 ** 26. */
const pairKey = (one: number, other: number): number =>
  Math.min(one, other) * 2 ** 26 + Math.max(one, other);
