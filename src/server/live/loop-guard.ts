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
type Key = `${"pair" | "ring" | "agent" | "board" | "signs" | "wait"} ${string}`;

/** Makes empty counts that learn from a database's commits what agents do with tasks and files. */
export function createLoopGuard(db: Pick<Db, "onCommit">, hub: Pick<Hub, "isAwaited">): LoopGuard {
  const counts = new Map<Key, Pair | InRing | number>();
  let order = 0;

  function set(key: Key, value: Pair | InRing | number): () => void {
    if (counts.size >= mostCounts) counts.clear();
    const before = counts.get(key);
    counts.set(key, value);
    return () => (before === undefined ? counts.delete(key) : counts.set(key, before));
  }
  const signed = (key: Key): number => (counts.get(key) as number | undefined) ?? 0;
  /** When the last sign of work was that two agents, or an agent in a ring, begin anew after. */
  const signOfPair = (boardRow: number, one: number, other: number): number =>
    Math.max(signed(`board ${boardRow}`), signed(`agent ${one}`), signed(`agent ${other}`));

  function pairOf(boardRow: number, one: number, other: number, now: number): Pair {
    const known = counts.get(pairKey(one, other)) as Pair | undefined;
    const holds =
      known && known.order > signOfPair(boardRow, one, other) && now - known.at < silenceMs;
    return holds ? known : { order: 0, at: now, byLower: 0, byHigher: 0 };
  }
  function ringOf({ row, boardRow }: AgentOnBoard): InRing {
    const known = counts.get(`ring ${row}`) as InRing | undefined;
    const holds = known && known.order > signed(`signs ${boardRow}`);
    return holds ? known : { order: 0, at: 0, wrote: 0, woken: 0 };
  }
  /** What an agent has done in a ring when it writes: after a long silence it begins anew. */
  function ringOfWriter(sender: AgentOnBoard, now: number): InRing {
    const ring = ringOf(sender);
    return now - ring.at < silenceMs || ring.at === 0 ? ring : { ...ring, wrote: 0, woken: 0 };
  }
  const sign = ({ row, boardRow }: AgentOnBoard): (() => void)[] => [
    set(`agent ${row}`, ++order),
    set(`signs ${boardRow}`, order),
  ];

  db.onCommit((signals) => {
    for (const signal of signals)
      if (signal.about === "work") sign({ row: signal.memberRow, boardRow: signal.boardRow });
  });

  return {
    waits(row, at) {
      const asked = counts.get(`wait ${row}`) as number | undefined;
      const lately = asked !== undefined && Date.parse(at) - asked < silenceMs;
      return lately || hub.isAwaited(`inbox:${row}`);
    },
    asksToWait: (row, at) => void set(`wait ${row}`, Date.parse(at)),
    damped(sender, woken, at) {
      const now = Date.parse(at);
      const { wrote, woken: times } = ringOfWriter(sender, now);
      if (wrote >= mostInRing && times >= mostInRing && woken.length > 0)
        return { rows: [...woken], ring: true };
      const rows = woken.filter((row) => {
        const pair = withPost(pairOf(sender.boardRow, sender.row, row, now), sender.row < row);
        const { byLower, byHigher } = pair;
        return byLower + byHigher > mostExchanges && Math.min(byLower, byHigher) >= leastOfEach;
      });
      return { rows, ring: false };
    },
    count(tx, sender, woken, damped) {
      if (woken.length === 0) return;
      const now = Date.parse(tx.now);
      const undos: (() => void)[] = [];
      order++;
      const { wrote, woken: times } = ringOfWriter(sender, now);
      // In a ring counts only what did wake: two damped agents that go on writing to each other are no ring.
      const wroteNow = wrote + (damped.length < woken.length ? 1 : 0);
      undos.push(set(`ring ${sender.row}`, { order, at: now, wrote: wroteNow, woken: times }));
      for (const row of woken) {
        const pair = withPost(pairOf(sender.boardRow, sender.row, row, now), sender.row < row);
        undos.push(set(pairKey(sender.row, row), { ...pair, order, at: now }));
        if (damped.includes(row)) continue;
        const ring = ringOf({ row, boardRow: sender.boardRow });
        undos.push(set(`ring ${row}`, { ...ring, order, woken: ring.woken + 1 }));
      }
      tx.onUndo(() => undos.reverse().forEach((undo) => undo()));
    },
    personWrote(tx, boardRow) {
      const undos = [set(`board ${boardRow}`, ++order), set(`signs ${boardRow}`, order)];
      tx.onUndo(() => undos.forEach((undo) => undo()));
    },
    worked(tx, agent) {
      const undos = sign(agent);
      tx.onUndo(() => undos.forEach((undo) => undo()));
    },
  };
}

const pairKey = (one: number, other: number): Key =>
  one < other ? `pair ${one} ${other}` : `pair ${other} ${one}`;

/** The counts of a pair with one more post, by the agent with the lower or the higher row. */
const withPost = (pair: Pair, byLower: boolean): Pair =>
  byLower ? { ...pair, byLower: pair.byLower + 1 } : { ...pair, byHigher: pair.byHigher + 1 };
