import type { Static } from "@sinclair/typebox";
import type { EventData, EventEnvelope } from "../contract/log.ts";
import type { Head } from "./thinned-heads.ts";

type Envelope = Static<typeof EventEnvelope>;
type Rollback = EventData<"board.rolled_back">;

/** The data of an event of a restore. Null if it has another form, because whoever made it up may have put in anything. */
function rollbackIn(data: Envelope["data"]): Rollback | null {
  const { generation, backup, at } = (data ?? {}) as Partial<Record<keyof Rollback, unknown>>;
  const isName = typeof backup === "string" && /^[a-z0-9-]{1,40}$/.test(backup);
  const isTime = typeof at === "string" && /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(at);
  return isName && isTime && typeof generation === "string" ? { generation, backup, at } : null;
}

/** The heads of one board's log that were verified here. */
export interface KeptHeads {
  /** The server's generation then. Null where an older version of this program kept them. */
  readonly server_generation: string | null;
  /** Oldest first, never empty. The last one is the newest head that was verified. */
  readonly heads: readonly Head[];
}

/** A restore of the server from a backup that took back heads which were verified here. */
export interface Restored {
  readonly generation: string;
  /** The last verified head that the log still has. */
  readonly agreed_seq: number;
  /** The first verified head that it no longer has. */
  readonly lost_seq: number;
  /** The backup's name, and when it was made. */
  readonly backup: string;
  readonly at: string;
}

/** A comparison of a log with the heads that were verified before. */
interface Comparison {
  /** Compares the log's next event. False when the log no longer has a head, and no restore explains that. */
  mayFollow(event: Envelope): boolean;
  /** Whether every head that was compared so far is part of the log, and none is left. */
  allAgree(): boolean;
  /** At the log's end: the restore that took back heads, null when the log has them all, or the seq of the first head that it no longer has without such a restore. */
  atEnd(generation: string | null): Restored | null | number;
}

/**
 * Compares a log with kept heads. A head that the log no longer has is explained by a restore if the log has
 * `board.rolled_back` after the last head that agrees and no later than that head, and if the last such event is of the
 * server's generation, which is another than the one under which the heads were verified.
 */
export function comparing(kept: KeptHeads | null): Comparison {
  const heads = kept?.heads ?? [];
  let next = 0;
  /** Whether the log has the event of a restore after the last head that agrees. */
  let rolledBack = false;
  /** The last such event of the log. */
  let restore: Rollback | null = null;
  let missing: Head | null = null;
  const isExplained = () => rolledBack && next > 0;
  return {
    mayFollow({ seq, hash, type, data }) {
      if (type === "board.rolled_back") {
        rolledBack = true;
        restore = rollbackIn(data);
      }
      const head = heads[next];
      if (missing || head?.seq !== seq) return true;
      if (head.hash === hash) {
        next++;
        rolledBack = false;
        return true;
      }
      missing = head;
      return isExplained();
    },
    allAgree: () => next === heads.length,
    atEnd(generation) {
      missing ??= heads[next] ?? null;
      if (!missing) return null;
      const isNew = generation !== null && generation !== kept?.server_generation;
      if (!isExplained() || !isNew || restore?.generation !== generation) return missing.seq;
      return { ...restore, agreed_seq: heads[next - 1]!.seq, lost_seq: missing.seq };
    },
  };
}
