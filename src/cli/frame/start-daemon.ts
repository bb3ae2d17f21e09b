import type { Client } from "../../client/client.ts";
import type { BuildInfo } from "../../client/build-info.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { Machine } from "../../client/machine/machine.ts";
import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";

type Message = Output<Operations["postMessage"]>;

/** What the delivery daemon takes from the command line. */
export interface StartDaemonOptions {
  readonly machine: Pick<Machine, "folders" | "system">;
  readonly pid: number;
  readonly build: BuildInfo;
  /** Whether this machine has a token of the seat. */
  hasSeat(agent: DaemonAgent): boolean;
  /** A client of the seat's server with the seat's own token, as it is saved at that moment. */
  clientOf(agent: DaemonAgent): Client;
  /** The text of messages for an agent. */
  render(agent: DaemonAgent, messages: readonly Message[], several: boolean): string;
  log(line: string): void;
  /** Called when nothing is left to do, or another process asked for the end. */
  onStop(): void;
}

/** Starts the daemon in this process. Null if another process is the daemon of this home. */
export type StartDaemon = (
  options: StartDaemonOptions,
) => Promise<{ stop(): Promise<void> } | null>;
