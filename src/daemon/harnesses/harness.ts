import type { HarnessProfile } from "../../client/harnesses/profile.ts";
import type { DaemonAnswer } from "../../client/machine/daemon-wire.ts";
import type { Peer, RawRequest } from "../socket/listen.ts";

/** How the daemon reaches the sessions of a harness: what is known of it, and the acts that differ in kind. */
export interface Harness {
  readonly profile: HarnessProfile;
  /** How a session gets what wakes it. */
  readonly wake: Bell | Push;
  /**
   * Asks the harness whether this is a running session that may hold a seat. Throws `RequestRefused` if not. Left out, only
   * the session-start hook makes a session known. `configDir` is the folder of the harness's settings, if it is known.
   */
  check?(session: string, configDir: string | null): Promise<void>;
  /** The daemon has heard of a session. From then on the adapter tells what it does. */
  follow?(session: string, configDir: string | null): void;
  /** A session was open when the last daemon ended, and its process is not known. The adapter says so if it is not running. */
  doubt?(session: string): void;
  /** Removes what the adapter keeps in files for sessions that are none of these, where nobody has touched it since a time. */
  tidy?(sessions: readonly string[], before: number): void;
  /** Begins to hear what the sessions do, and gives the function that ends that. Left out, hooks tell everything. */
  start?(signs: SessionSigns): () => void;
  /** Takes the connection of our extension in a process of the harness, and gives what takes its further lines. */
  connect?(peer: Peer, hello: RawRequest, door: SessionDoor): (line: RawRequest) => void;
}

/** What an extension may ask for its sessions. Each request names harness and session. */
export interface SessionDoor {
  register(request: RawRequest): Promise<Omit<DaemonAnswer, "v">>;
  boundary(request: RawRequest): Promise<Omit<DaemonAnswer, "v">>;
  end(request: RawRequest): Promise<unknown>;
}

/** The session fetches its bundle: a hook of it runs when it is rung, and asks by `wait`. */
export interface Bell {
  readonly kind: "bell";
  /** A ring may get lost. */
  ring(session: string): void;
}

/** A text for a session with the id of its handoff. */
export interface HandedText {
  readonly id: string;
  readonly text: string;
  /** Whether every message in it is of the agent's own person. */
  readonly ownersOnly: boolean;
}

/**
 * What became of a text. `absent`: the harness does not have it. `waiting`: it has it for a turn to come, or a turn runs with
 * it. `paused`: the same, but its person stopped the session, and no turn begins before they go on. `unanswered`: it has it,
 * but its turn ended without an answer, and no other begins by itself. `answered`: the model answered in a turn that held it.
 */
export type Fate = "absent" | "waiting" | "paused" | "unanswered" | "answered";

/** The harness takes a text at any time and runs a turn with it. That it took a text proves nothing. */
export interface Push {
  readonly kind: "push";
  /** Whether a text that comes while a turn runs reaches the model in that turn. */
  readonly joinsTurn: boolean;
  /** Why the session can take no text at the moment, or null. It is asked again later. Left out, it always can. */
  away?(session: string): Promise<string | null>;
  /** Gives a text to a session. A text that was given before under this id is not doubled if the harness can tell. */
  hand(session: string, text: HandedText): Promise<void>;
  /** What became of a text that was handed before. */
  fate(session: string, handoff: string): Promise<Fate>;
  /** Takes back a text that no turn has begun with. False if one has begun. */
  takeBack?(session: string, handoff: string): Promise<boolean>;
}

/** What an adapter says about the sessions of its harness. Sessions that the daemon does not know are passed over. */
export interface SessionSigns {
  /** A turn runs; none runs; one ended without an answer; the session has ended. */
  is(session: string, state: "busy" | "idle" | "failed" | "closed"): void;
  /** The model answered in a turn that held this text. */
  answered(session: string, handoff: string): void;
}
