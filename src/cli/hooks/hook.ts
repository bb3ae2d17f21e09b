import type { HarnessProfile, HookRun } from "../../client/harnesses/profile.ts";
import type { Folders } from "../../client/machine/machine.ts";
import type { Surroundings } from "../frame/surroundings.ts";
import type { HookInput } from "./hook-input.ts";

/** One run of a hook. */
export interface Hook extends Surroundings {
  readonly folders: Folders;
  readonly profile: HarnessProfile;
  readonly input: HookInput;
  /** The harness's id of the session. */
  readonly session: string;
  /** The id of the subagent that the hook runs in, or the empty text. */
  readonly subagent: string;
}

/** What a hook says to its harness. */
export interface HookOutput {
  /** One JSON object. Left out, nothing is printed. */
  readonly stdout?: object;
  readonly stderr?: string;
  /** 2 makes the harness take what stderr holds. The default is 0. */
  readonly exitCode?: 0 | 2;
  /** Called once everything is printed. */
  readonly printed?: (() => void) | undefined;
}

/** What the hooks of a harness do. */
export type HookRuns = Partial<Readonly<Record<HookRun, (hook: Hook) => Promise<HookOutput>>>>;

/** The output that adds fields to an event, such as `additionalContext`. */
export const outputFor = (event: string, fields: object): HookOutput => ({
  stdout: { hookSpecificOutput: { hookEventName: event, ...fields } },
});
