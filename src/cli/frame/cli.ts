import type { Folders } from "../../client/machine/machine.ts";
import type { RunCache } from "../../client/machine/run-cache.ts";
import type { RecoverKey, StartServer } from "./start-server.ts";
import type { StartDaemon } from "./start-daemon.ts";
import type { Surroundings } from "./surroundings.ts";

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
  readonly startDaemon: StartDaemon;
  /** Whether this run started the local server. */
  serverStarted: boolean;
  /** A command as it can be typed here, such as `npm run -s service -- boards`. */
  typed(command: string): string;
  /** Prints text, or an object as one line of JSON, to stdout now. False when the reader has gone away. */
  print(output: string | object): Promise<boolean>;
  /** Prints a line to stderr, unless stdout carries JSON. */
  note(line: string): void;
}
