import type { Db } from "../../../db/engine/database.ts";
import type { HandedText, Harness } from "../../harnesses/harness.ts";
import type { Occasion } from "../held/bundle.ts";
import type { DaemonOptions } from "../held/daemon-options.ts";
import type { Feeds } from "../held/feeds.ts";
import type { LiveSession } from "../held/live-session.ts";
import type { Texts } from "./texts.ts";

/** How a text is handed. */
export interface How {
  readonly bytes: number;
  /** The harness's id of the turn that it is handed in, or null. */
  readonly turn: string | null;
  /** Whether no turn runs. */
  readonly idle: boolean;
  /** Whether the harness takes it by itself. */
  readonly pushed?: boolean;
}

/** Writes a handoff and gives its text, or null if nothing is to be handed. */
export type Hand = (
  session: LiveSession,
  occasion: Occasion,
  how: How,
) => Promise<HandedText | null>;

/** What the two ways to wake a session share. Every function runs within the work of the session that it gets. */
export interface Handing {
  readonly db: Db;
  readonly options: DaemonOptions;
  readonly feeds: Feeds;
  readonly texts: Texts;
  readonly hand: Hand;
  harnessOf(session: LiveSession): Harness;
  /** Runs work of a session after what it does now. */
  later(session: LiveSession, work: () => Promise<void>): void;
  /** Looks whether the session is to be woken. */
  consider(session: LiveSession): Promise<void>;
  /** Whether something waits for the session that may be handed on this occasion. */
  wants(session: LiveSession, occasion: Occasion): boolean;
  /** Whether gathering is over, which begins with the first message that wakes the session. */
  isGathered(session: LiveSession): boolean;
  /** Looks at the session again at this time, and at no other. */
  lookAt(session: LiveSession, time: number): void;
  /** Ends what waits for the session's next wake. */
  calm(session: LiveSession): void;
}
