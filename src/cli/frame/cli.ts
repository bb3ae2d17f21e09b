import type { Folders } from "../../client/machine/machine.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { RunCache } from "../../client/machine/run-cache.ts";
import type { Offline } from "./offline.ts";
import type { RecoverKey, StartServer } from "./start-server.ts";
import type { StartDaemon } from "./start-daemon.ts";
import type { Surroundings } from "./surroundings.ts";

/** What the daemon says about the session that a command runs in. */
export interface SessionHere {
  /** The seats that the session holds. */
  readonly seats: readonly DaemonAgent[];
  /** Why the daemon could not say it, or null. */
  readonly failure: Error | null;
}

/** One run of the program: its input, and the ways to print. The functions of `client/machine` take it as their `Machine`. */
export interface Cli extends Surroundings {
  /** The words typed after the program's name. */
  readonly words: readonly string[];
  /** The command's own name, such as `board new`. */
  readonly command: string;
  /** Whether stdout carries JSON. */
  readonly json: boolean;
  readonly folders: Folders;
  /** Answers that this run asked for once and keeps. */
  readonly learned: RunCache;
  readonly startServer: StartServer;
  readonly recoverKey: RecoverKey;
  readonly offline: Offline;
  readonly startDaemon: StartDaemon;
  /** The session that this command runs in. Null outside of one, and where nothing depends on it. */
  session: SessionHere | null;
  /** Whether this run started the local server. */
  serverStarted: boolean;
  /** A command as it can be typed here, such as `npm run -s service -- boards`. */
  typed(command: string): string;
  /** Prints text, or an object as one line of JSON, to stdout now. False when the reader has gone away. */
  print(output: string | object): Promise<boolean>;
  /** Prints a line to stderr, unless stdout carries JSON. */
  note(line: string): void;
}
