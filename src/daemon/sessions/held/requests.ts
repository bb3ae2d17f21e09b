import { isAbsolute } from "node:path";
import type { DaemonAgent, DaemonRequest } from "../../../client/machine/daemon-wire.ts";
import type { ExtensionField } from "../../../client/machine/extension-wire.ts";
import type { Harness } from "../../harnesses/harness.ts";
import type { RawRequest } from "../../socket/listen.ts";
import { RequestRefused } from "../../socket/request-refused.ts";

export { RequestRefused };

type Field = keyof DaemonRequest | ExtensionField;

/** A text of a request, or the empty text. Refuses one that is no text or too long to be a name. */
export function textOf(request: RawRequest, field: Field): string {
  const value = request[field] ?? "";
  if (typeof value === "string" && value.length <= 4_096) return value;
  throw new RequestRefused("invalid_request", `\`${field}\` must be a text.`, "Send it as a text.");
}

/** A text that a request must have. */
export function neededText(request: RawRequest, field: Field): string {
  const text = textOf(request, field);
  if (text !== "") return text;
  throw new RequestRefused("invalid_request", `\`${field}\` is missing.`, "Send it.");
}

/** When the hook's process started, in milliseconds since 1970. Now, if the request does not say it. */
export function startOf(request: RawRequest, now: number): number {
  const time = Date.parse(textOf(request, "started"));
  return Number.isNaN(time) ? now : Math.min(time, now);
}

/** Whether the clock was set back since the hook's process started: its start lies in the future. */
export const startsInFuture = (request: RawRequest, now: number): boolean =>
  Date.parse(textOf(request, "started")) > now;

/** The process of a session, or null. */
export function processOf(request: RawRequest): { pid: number; start: string } | null {
  const { pid, start } = (request["process"] ?? {}) as { pid?: unknown; start?: unknown };
  if (!Number.isSafeInteger(pid) || (pid as number) <= 1) return null;
  return { pid: pid as number, start: typeof start === "string" ? start : "" };
}

/** Refuses a subagent, which never gets a seat and never acts for its session. */
export function refuseSubagent(request: RawRequest): void {
  if (textOf(request, "subagent") === "") return;
  throw new RequestRefused(
    "subagent_without_seat",
    "A subagent has no seat of its own, so it may only read.",
    "Let the session that started it do this.",
  );
}

/** The folder of the harness's settings that the session runs with, or null. */
export function configDirIn(request: RawRequest): string | null {
  const folder = textOf(request, "config_dir");
  return isAbsolute(folder) ? folder : null;
}

/** The agent that a request names. */
export function agentIn(request: RawRequest): DaemonAgent {
  const agent = (request["agent"] ?? {}) as Partial<Record<keyof DaemonAgent, unknown>>;
  const { server, board, name, member_id } = agent;
  const texts = [server, board, name, member_id];
  if (texts.every((text) => typeof text === "string" && text !== ""))
    return { server, board, name, member_id } as DaemonAgent;
  throw new RequestRefused(
    "invalid_request",
    "`agent` needs server, board, name and member_id.",
    "Send the seat as it is saved on this machine.",
  );
}

/** The harness of a name. Throws `invalid_request` for one that this daemon does not know. */
export function harnessIn(harnesses: readonly Harness[], name: string): Harness {
  const found = harnesses.find(({ profile }) => profile.harness === name);
  if (found) return found;
  const known = harnesses.map(({ profile }) => profile.harness).join(", ");
  throw new RequestRefused(
    "invalid_request",
    `This daemon knows no harness ${name}.`,
    `It knows ${known}.`,
  );
}
