import type { Client } from "../../client/client.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { Machine } from "../../client/machine/machine.ts";
import type { Message } from "../servers/reaching.ts";
import type { Harness } from "../harnesses/harness.ts";
import type { Clock } from "../loop/clock.ts";

/** What a daemon is made with. */
export interface DaemonOptions {
  readonly machine: Pick<Machine, "folders" | "system">;
  readonly pid: number;
  readonly build: { readonly version: string; readonly commit?: string };
  readonly harnesses: readonly Harness[];
  readonly clock: Clock;
  /** How long messages are gathered before a session is woken. */
  readonly gatherMs: number;
  /** Whether this machine has a token of the seat. */
  hasSeat(agent: DaemonAgent): boolean;
  /** A client of the seat's server with the seat's own token, as it is saved at that moment. */
  clientOf(agent: DaemonAgent): Client;
  /** The text for an agent. */
  render(agent: DaemonAgent, messages: readonly Message[], several: boolean): string;
  /** Whether a session's process still runs. */
  isRunning(process: { readonly pid: number; readonly start: string }): boolean;
  log(line: string): void;
  /** Called when nothing is left to do, or `stop` was asked for. */
  onStop(): void;
}
