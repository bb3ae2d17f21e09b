import type { KeptHeads } from "../../../client/compare-heads.ts";
import type { Head } from "../../../client/thinned-heads.ts";

/** How far this browser has verified a board's log: the heads, and what it found on the way. */
export interface Verified extends KeptHeads {
  /** How many events' data was withheld from the person. */
  readonly withheld: number;
  /** When it was verified last. */
  readonly at: string;
}

const keyOf = (personId: string, boardId: string) => `service-record:${personId}:${boardId}`;

/** What a person has verified of a board in this browser, or null. What somebody damaged counts as nothing. */
export function verifiedHeads(personId: string, boardId: string): Verified | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(personId, boardId)) ?? "null");
    return isVerified(stored) ? stored : null;
  } catch {
    return null;
  }
}

/** Keeps what was verified for the next check. Without room in this browser the next check begins at the start. */
export function keepVerified(personId: string, boardId: string, verified: Verified): void {
  try {
    localStorage.setItem(keyOf(personId, boardId), JSON.stringify(verified));
  } catch {
    localStorage.removeItem(keyOf(personId, boardId));
  }
}

function isVerified(stored: unknown): stored is Verified {
  if (typeof stored !== "object" || stored === null) return false;
  const { server_generation, heads, withheld, at } = stored as Partial<Record<string, unknown>>;
  return (
    (server_generation === null || typeof server_generation === "string") &&
    Number.isSafeInteger(withheld) &&
    typeof at === "string" &&
    !Number.isNaN(Date.parse(at)) &&
    Array.isArray(heads) &&
    heads.length > 0 &&
    heads.every((head, i) => isHead(head) && (i === 0 || head.seq > heads[i - 1].seq))
  );
}

function isHead(head: unknown): head is Head {
  const { seq, hash } = (head ?? {}) as Partial<Record<string, unknown>>;
  return (
    Number.isSafeInteger(seq) && (seq as number) > 0 && /^sha256:[0-9a-f]{64}$/.test(`${hash}`)
  );
}
