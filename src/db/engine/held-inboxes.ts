/** One call or stream with which an agent waits for messages. */
export interface HeldInbox {
  /** When it began. */
  readonly begun: string;
  /** Since when the agent has waited: the calls before this one count if they were not long ago. */
  readonly since: string;
  /** When it ended; null while it is open. */
  readonly ended: string | null;
  /** Notes that it ends now. A second time changes nothing. */
  end(): void;
}

/** Which agents wait for messages now or did so lately. It is kept in memory, since the calls end with the process. */
export interface HeldInboxes {
  /** The calls of a member that are open, or have ended and are not forgotten. */
  of(memberRow: number): readonly HeldInbox[];
  /** When a member last waited: now while a call is open. Null if that is more than an hour ago, or was before the start. */
  lastHeld(memberRow: number): string | null;
  /** Notes that a member begins to wait. */
  begin(memberRow: number): HeldInbox;
  /** Forgets the calls that ended before a time, and returns the last one of each member who has no other left. */
  forget(endedBefore: string): { readonly memberRow: number; readonly last: HeldInbox }[];
}

/** One call or stream, which notes its end with those of the others. */
class Held implements HeldInbox {
  readonly memberRow: number;
  readonly begun: string;
  readonly since: string;
  ended: string | null = null;
  readonly #onEnd: (held: Held) => void;

  constructor(memberRow: number, begun: string, since: string, onEnd: (held: Held) => void) {
    this.memberRow = memberRow;
    this.begun = begun;
    this.since = since;
    this.#onEnd = onEnd;
  }
  end(): void {
    if (this.ended === null) this.#onEnd(this);
  }
}

/** Makes an empty record of held inboxes. */
export function createHeldInboxes(clock: () => Date): HeldInboxes {
  const byMember = new Map<number, readonly Held[]>();
  /** When the last call of a member ended, the earliest first. */
  const ends = new Map<number, string>();
  const now = () => clock().toISOString();
  const noteEnd = (held: Held) => {
    held.ended = now();
    ends.delete(held.memberRow);
    ends.set(held.memberRow, held.ended);
  };
  return {
    of: (memberRow) => byMember.get(memberRow) ?? [],
    begin(memberRow) {
      const others = byMember.get(memberRow) ?? [];
      const begun = now();
      const since = others.reduce(
        (first, each) => (each.since < first ? each.since : first),
        begun,
      );
      const call = new Held(memberRow, begun, since, noteEnd);
      byMember.set(memberRow, [...others, call]);
      return call;
    },
    lastHeld: (memberRow) =>
      byMember.get(memberRow)?.some(({ ended }) => ended === null)
        ? now()
        : (ends.get(memberRow) ?? null),
    forget(endedBefore) {
      const anHourAgo = new Date(clock().getTime() - 3_600_000).toISOString();
      for (const [memberRow, ended] of ends) {
        if (ended > anHourAgo) break;
        ends.delete(memberRow);
      }
      return [...byMember].flatMap(([memberRow, calls]) => {
        const left = calls.filter(({ ended }) => ended === null || ended > endedBefore);
        if (left.length > 0) {
          byMember.set(memberRow, left);
          return [];
        }
        byMember.delete(memberRow);
        return { memberRow, last: calls.at(-1)! };
      });
    },
  };
}
