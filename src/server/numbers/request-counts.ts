import type { OperationName } from "../../contract/index.ts";
import { addDuration, noDurations, type Durations } from "../../db/engine/durations.ts";

/** The answered requests of an operation with one class of status. */
export interface Answered extends Durations {
  /** Null for requests that no operation answers: pages, documents, and unknown paths. */
  readonly operation: OperationName | null;
  /** Such as `2xx`. */
  readonly status: string;
}

/** Counts answered requests. */
export interface RequestCounts {
  add(operation: OperationName | null, status: number, milliseconds: number): void;
  /** In the order in which they first occurred. */
  all(): readonly Answered[];
  /** How many were refused by a limit. */
  readonly limited: number;
}

/** Makes empty counts. Counting an answer allocates nothing once its operation and status have occurred. */
export function createRequestCounts(): RequestCounts {
  const byOperation = new Map<OperationName | null, Answered[]>();
  const all: Answered[] = [];
  let limited = 0;
  return {
    add(operation, status, milliseconds) {
      if (status === 429) limited++;
      const digit = Math.floor(status / 100);
      let classes = byOperation.get(operation);
      if (!classes) byOperation.set(operation, (classes = []));
      let answered = classes[digit];
      if (!answered) {
        answered = classes[digit] = { operation, status: `${digit}xx`, ...noDurations() };
        all.push(answered);
      }
      addDuration(answered, milliseconds);
    },
    all: () => all,
    get limited() {
      return limited;
    },
  };
}
