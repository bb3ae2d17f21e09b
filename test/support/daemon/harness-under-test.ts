import type { Harness } from "../../../src/daemon/harnesses/harness.ts";
import type { Daemon } from "./daemon-on-docs.ts";

/** A harness that the contract of adapters is tried with. Each case makes one anew. */
export interface HarnessUnderTest {
  readonly name: string;
  make(): {
    readonly adapter: Partial<Harness>;
    /** Begins to play the sessions of the harness for a daemon that has the adapter. */
    drive(there: Daemon): SessionDriver;
  };
}

/** Plays sessions: what their person does, what their model does, and what the harness makes of it. */
export interface SessionDriver {
  /** The session starts, or is resumed. The daemon knows it when this resolves. */
  open(session: string): Promise<void>;
  /** The session ends, also in the middle of a turn. */
  close(session: string): Promise<void>;
  /** Its person types something: a turn runs when this resolves. */
  type(session: string): Promise<void>;
  /** Waits until a turn runs that the daemon began. */
  woken(session: string): Promise<void>;
  /** The model calls a tool in the running turn, and reads what comes with its result. */
  tool(session: string): Promise<void>;
  /** The model answers. Resolves when the turn has ended, and reads before that what comes with its end. */
  answer(session: string): Promise<void>;
  /** The turn ends by an error, and the model has answered nothing. */
  fail(session: string): Promise<void>;
  /** The next text that the session is given is lost before a turn begins with it. */
  loseNext(session: string): void;
  /** Whether a turn runs. */
  isBusy(session: string): boolean;
  /** Every text that the model has read, oldest first. */
  read(session: string): readonly string[];
  /** Those after which it said something or called a tool, in the same turn. */
  answered(session: string): readonly string[];
}
