import type { Db } from "../../db/engine/database.ts";
import type { Signal } from "../../db/engine/signals.ts";
import type { Topic } from "../handler.ts";
import { createIndex } from "./index-by-key.ts";

/** Where requests wait for a commit that concerns them. A waiting request uses no CPU. */
export interface Hub {
  /**
   * Resolves when a topic is woken, after `milliseconds`, or when the signal aborts. `aside` is for what waits beside a
   * stream: it is not counted among the requests.
   */
  wait(
    topics: readonly Topic[],
    milliseconds: number,
    abort: AbortSignal,
    aside?: "aside",
  ): Promise<void>;
  /** Whether a request waits for a topic now. */
  isAwaited(topic: Topic): boolean;
  /** Number of waiting requests. */
  readonly waiting: number;
  /** True once the server stops. A wait then resolves at once. */
  readonly closed: boolean;
  /** Wakes every request, and lets none wait again. */
  close(): void;
}

/** Longest delay of a timer, in milliseconds. A longer wait wakes early and its caller checks again. */
const longestTimer = 2 ** 31 - 1;

/** Makes a hub that listens to a database's commits. */
export function createHub(db: Db): Hub {
  const waiters = createIndex<Topic, () => void>();
  const everyone = new Set<() => void>();
  let requests = 0;
  let closed = false;

  const wake = (topic: Topic) => {
    for (const resume of [...waiters.at(topic)]) resume();
  };
  db.onCommit((signals) => {
    for (const topic of new Set(signals.flatMap(topicsOf))) wake(topic);
  });

  return {
    isAwaited: (topic) => waiters.has(topic),
    get waiting() {
      return requests;
    },
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      for (const resume of [...everyone]) resume();
    },
    wait(topics, milliseconds, abort, aside) {
      return new Promise((resolve) => {
        const resume = () => {
          clearTimeout(timer);
          abort.removeEventListener("abort", resume);
          if (everyone.delete(resume) && !aside) requests--;
          for (const topic of topics) waiters.takeOut(topic, resume);
          resolve();
        };
        const timer = setTimeout(resume, Math.min(Math.max(milliseconds, 1), longestTimer));
        abort.addEventListener("abort", resume, { once: true });
        everyone.add(resume);
        if (!aside) requests++;
        for (const topic of topics) waiters.putIn(topic, resume);
      });
    },
  };
}

function topicsOf(signal: Signal): Topic[] {
  switch (signal.about) {
    case "message": {
      const { boardRow, rootPlace, reaches, quiet, damped } = signal;
      const thread: Topic = `thread:${rootPlace}`;
      if (quiet) return [thread];
      if (reaches === null) return [thread, `board:${boardRow}`];
      const woken = reaches.filter((row) => !damped.includes(row));
      return [thread, ...woken.map((row): Topic => `inbox:${row}`)];
    }
    case "head":
      return [`head:${signal.boardRow}`];
    case "presence":
      return [`presence:${signal.memberRow}`];
    case "attention":
    case "membership":
      return [`person:${signal.personRow}`];
    case "seat-ended":
    case "token-replaced":
      return [`member:${signal.memberRow}`];
    case "key-ended":
      return [`key:${signal.keyRow}`];
    case "session-ended":
      return [`session:${signal.sessionRow}`];
    default:
      return [];
  }
}
