import type { Client } from "../../client/client.ts";
import type { BuildInfo } from "../../client/build-info.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { Seat } from "../../client/machine/seats.ts";
import type { Env, Machine } from "../../client/machine/machine.ts";

/** A server as the person of this machine reaches it. */
interface PersonAt {
  readonly key: string;
  /** A client with this credential. It gets the credential only if it is that server. */
  clientWith(token: string): Client;
}

/** What the delivery daemon takes from the command line. */
export interface StartDaemonOptions {
  readonly machine: Pick<Machine, "folders" | "system">;
  readonly env: Env;
  readonly pid: number;
  readonly build: BuildInfo;
  /** How long messages are gathered before a session is woken. Two seconds by default. */
  readonly gatherMs?: number | undefined;
  /** Whether this machine has a token of the seat. */
  hasSeat(agent: DaemonAgent): boolean;
  /** A client of the seat's server with the seat's own token, as it is saved at that moment. */
  clientOf(agent: DaemonAgent): Client;
  /** Writes the words of a command for a session, with the path of the program. */
  typed(words: string): string;
  /** How this machine's person reaches a server, or null without a key for it. */
  personAt(server: string): PersonAt | null;
  /** Keeps a seat with its token on this machine, in place of the seat's earlier token. */
  saveSeat(seat: Seat): void;
  log(line: string): void;
  /** Called when nothing is left to do, or another process asked for the end. */
  onStop(): void;
}

/** Starts the daemon in this process. Null if another process is the daemon of this home. */
export type StartDaemon = (
  options: StartDaemonOptions,
) => Promise<{ stop(): Promise<void> } | null>;
