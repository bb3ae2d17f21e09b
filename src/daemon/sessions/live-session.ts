import type { Peer } from "../socket/listen.ts";
import type { SessionKey } from "../../db/journal/journal-sessions.ts";

/** What the daemon knows of an open session beyond its journal. It is forgotten when the daemon ends. */
export interface LiveSession {
  readonly key: SessionKey;
  boot: string;
  /** A turn runs, or a bundle was handed that starts one. */
  busy: boolean;
  /** The harness's id of the turn that runs, or ran last. */
  turn: string;
  /** When the last hook came. */
  heardAt: number;
  /** When the last turn was seen to begin or to go on. A bell's hook that started before it comes too late. */
  turnSeenAt: number;
  /** How many bundles the end of this turn has added. */
  turnEndBundles: number;
  /** How many turns in a row ended without an answer. */
  failures: number;
  /** Nothing wakes the session before this time. */
  quietUntil: number;
  /** When gathering ends. Null while nothing wakes it. */
  gatherUntil: number | null;
  /** The hook of a bell that waits for its bundle. */
  waiting: Peer | null;
  /** For each seat the last message that a notice has announced. */
  announced: Map<string, number>;
  /** Handoffs that a bell's hook said it has. */
  readonly received: Set<string>;
  /** Rings since the last hook of a bell. */
  rings: number;
  /** Ends the timer of the session. */
  cancelTimer: () => void;
  /** The work of the session, one piece after another. */
  work: Promise<unknown>;
}

/** A session as it is when it opens. */
export const liveSession = (key: SessionKey, boot: string, now: number): LiveSession => ({
  key,
  boot,
  ...{ busy: false, turn: "", heardAt: now, turnSeenAt: 0, turnEndBundles: 0 },
  ...{ failures: 0, quietUntil: 0, gatherUntil: null, waiting: null, rings: 0 },
  received: new Set(),
  announced: new Map(),
  cancelTimer: () => {},
  work: Promise.resolve(),
});
