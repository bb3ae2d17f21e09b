import type { BuildInfo } from "../../../client/build-info.ts";
import type { Client } from "../../../client/client.ts";
import type { DaemonAgent } from "../../../client/machine/daemon-wire.ts";
import type { Db } from "../../../db/engine/database.ts";
import type { Machine } from "../../../client/machine/machine.ts";
import type { Seat } from "../../../client/machine/seats.ts";
import type { PersonAt } from "../../servers/delegations.ts";
import type { Harness } from "../../harnesses/harness.ts";
import type { Clock } from "../../loop/clock.ts";

/** What a daemon is made with. */
export interface DaemonOptions {
  readonly machine: Pick<Machine, "folders" | "system">;
  readonly pid: number;
  readonly build: BuildInfo;
  readonly harnesses: readonly Harness[];
  readonly clock: Clock;
  /** How long messages are gathered before a session is woken. */
  readonly gatherMs: number;
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
  /** Whether a session's process still runs. */
  isRunning(process: { readonly pid: number; readonly start: string }): boolean;
  /** Takes the journal's place. A test ends the daemon before or after any of its writes. */
  readonly wrapJournal?: (journal: Db) => Db;
  log(line: string): void;
  /** Called when nothing is left to do, or `stop` was asked for. */
  onStop(): void;
}
