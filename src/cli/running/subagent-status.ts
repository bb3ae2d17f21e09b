import { inSubagent, sessionOf } from "../../client/machine/harness.ts";
import type { Env } from "../../client/machine/machine.ts";

/** Whose subagent a command runs in. It has no seat, and reads as the agent of its parent's session. */
export interface SubagentStatus {
  readonly harness: string | null;
  /** The harness's own id of the parent's session. Null if the environment does not say it. */
  readonly session: string | null;
  readonly parent_agent: string | null;
  readonly seat: null;
}

/** What `status` says of the subagent that runs it; nothing outside of one. */
export function subagentStatus(
  env: Env,
  parent: string | null,
): { readonly subagent?: SubagentStatus } {
  if (!inSubagent(env)) return {};
  const { harness = null, session = null } = sessionOf(env) ?? {};
  return { subagent: { harness, session, parent_agent: parent, seat: null } };
}

/** The same as a row of the text. */
export function subagentRows(subagent: SubagentStatus | undefined): string[][] {
  if (!subagent) return [];
  const { harness, session, parent_agent: agent } = subagent;
  const whose = session === null ? "of a session" : `of the session ${harness}:${session}`;
  const named = agent === null ? "" : `, whose agent is ${agent}`;
  return [["Subagent", `${whose}${named}: it has no seat of its own, and may only read`]];
}
