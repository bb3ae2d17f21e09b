import { whereItIs } from "../../agent-text/work-text.ts";
import type { Client } from "../../client/client.ts";
import type { Nudge } from "../../client/machine/shown-nudges.ts";
import type { Cli } from "../frame/cli.ts";
import type { Typed } from "../../agent-text/directions.ts";

/**
 * Where an agent finds itself when a session takes its seat again: its task, where that stands, its line and its open asks.
 * Always said, whatever the board's reminders are. None if there is nothing of it, or its server is away.
 */
export async function reorientation(
  cli: Pick<Cli, "clock">,
  api: Client,
  board: string,
  typed: Typed,
): Promise<Nudge[]> {
  const inbox = await api.call("getInbox", { query: { limit: 1 } }).catch(() => null);
  if (inbox === null) return [];
  const lines = whereItIs([{ board, work: inbox.work, typed }], cli.clock.now());
  return lines.length === 0 ? [] : [{ code: "reorient", text: lines.join("\n") }];
}
