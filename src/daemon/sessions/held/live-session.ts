import type { Peer } from "../../socket/listen.ts";
import type { DeliveryMode } from "../../../contract/waking.ts";
import type { SeatKey, SessionKey } from "../../../db/journal/journal-sessions.ts";

/** A seat as the key of a map. */
export const seatKeyOf = ({ server, member_id }: SeatKey): string => `${server} ${member_id}`;

/** The turn that ran when a prompt came, and when that was. */
export interface JoinedTurn {
  readonly turn: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What the daemon knows of an open session beyond its journal. It is forgotten when the daemon ends. */
export interface LiveSession {
  readonly key: SessionKey;
  boot: string;
  /** A turn runs, or a bundle was handed that starts one. */
  busy: boolean;
  /** The harness's id of the turn that runs, or ran last. */
  turn: string;
  /** The ids of the last turns. */
  readonly turnsSeen: Set<string>;
  /** The daemon began while the session was open, so a turn may run that it has not seen begin. */
  mayRun: boolean;
  /** Texts whose prompt came while a turn ran, by their handoff. */
  readonly joined: Map<string, JoinedTurn>;
  /** A prompt that came while a turn ran, or may have run, and when that was. Null once that turn's model has read it. */
  kept: { readonly at: number; readonly isSure: boolean } | null;
  /** When the last hook came, as `elapsed` of the clock. */
  heardAt: number;
  /** When the last turn was seen to begin or to go on, by the clock that hooks have too. A bell's hook that started before it comes too late. */
  turnSeenAt: number;
  /** How many bundles the end of this turn has added. */
  turnEndBundles: number;
  /** How many turns in a row ended without an answer. */
  failures: number;
  /** How many handoffs in a row the journal did not take. */
  handFailures: number;
  /** Nothing wakes the session before this time, as `elapsed` of the clock. */
  quietUntil: number;
  /** When gathering ends, as `elapsed` of the clock. Null while nothing wakes it. */
  gatherUntil: number | null;
  /** The hook of a bell that waits for its bundle. */
  waiting: Peer | null;
  /** For each seat, and generation of its server, the last message that a notice has announced. */
  announced: Map<string, number>;
  /** The delivery mode of each seat that the session was last told. */
  readonly toldModes: Map<string, DeliveryMode>;
  /** The modes that the last text tells, and its handoff; null for a text that was added to a turn. */
  telling: {
    readonly handoff: string | null;
    readonly modes: readonly (readonly [string, DeliveryMode])[];
  } | null;
  /** Ids of messages that were shown without their end while a turn ran. */
  readonly previewed: Set<string>;
  /** The reminders that the session has got. */
  readonly reminded: Set<string>;
  /** How many texts the session has got. The board that comes first in a text changes with it. */
  texts: number;
  /** Handoffs that a bell's hook said it has. */
  readonly received: Set<string>;
  /** Rings since the last hook of a bell. */
  rings: number;
  /** How often in a row the harness failed to take a text or to tell what became of one. */
  pushFailures: number;
  /** Texts that the harness keeps because its person stopped the session. */
  readonly paused: Set<string>;
  /** Why the harness says that the session can take no text at the moment, or null. */
  away: string | null;
  /** Why nothing is handed any more until the session shows itself again, or null. */
  attention: string | null;
  /** Ends the timer of the session. */
  cancelTimer: () => void;
  /** The work of the session, one piece after another. */
  work: Promise<unknown>;
}

/** A session as it is when it opens. */
export const liveSession = (key: SessionKey, boot: string, now: number): LiveSession => ({
  key,
  boot,
  mayRun: false,
  kept: null,
  joined: new Map(),
  busy: false,
  turn: "",
  heardAt: now,
  turnSeenAt: 0,
  turnEndBundles: 0,
  failures: 0,
  handFailures: 0,
  quietUntil: 0,
  gatherUntil: null,
  waiting: null,
  rings: 0,
  pushFailures: 0,
  away: null,
  attention: null,
  texts: 0,
  telling: null,
  toldModes: new Map(),
  previewed: new Set(),
  reminded: new Set(),
  received: new Set(),
  paused: new Set(),
  turnsSeen: new Set(),
  announced: new Map(),
  cancelTimer: () => {},
  work: Promise.resolve(),
});

/** Moves the times of a session that are compared with those of hooks. */
export function moveTimes(session: LiveSession, by: number): void {
  session.turnSeenAt += by;
  if (session.kept) session.kept = { ...session.kept, at: session.kept.at + by };
  for (const [id, joined] of session.joined)
    session.joined.set(id, { ...joined, at: joined.at + by });
}

/** Forgets the turn of a session whose process is another one now. */
export function leaveTurn(session: LiveSession): void {
  session.joined.clear();
  Object.assign(session, {
    busy: false,
    turn: "",
    mayRun: false,
    kept: null,
    quietUntil: 0,
    failures: 0,
  });
}
