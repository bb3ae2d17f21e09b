import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import { append, remove, removeMember, replace, type Draft } from "../settings-files/json-edits.ts";
import { jsonTree, nodeAt } from "../settings-files/json-tree.ts";
import { digestOf } from "./manifest.ts";
import type { Shape } from "./settings-shape.ts";

/** A hook of ours as it stands, or is to stand, in a settings file: alone in a group below its event. */
export interface OwnHook {
  readonly event: string;
  readonly matcher?: string;
  readonly entry: { readonly command: string; readonly [option: string]: unknown };
}

/** An event whose hook the installed version cannot run, and what the person loses. */
export interface LostHook {
  readonly event: string;
  readonly without: string;
}

/** The hooks that a version of a harness runs, and those that it lacks. A version that nobody could read counts as the oldest. */
export function hooksFor(
  profile: HarnessProfile,
  version: string | null,
  hookStart: string,
): { readonly hooks: OwnHook[]; readonly lost: LostHook[] } {
  const { harness, checks, delivery } = profile;
  const known = (since: string) => Bun.semver.order(version ?? checks.minVersion, since) >= 0;
  const hooks = delivery.hooks.filter(({ since }) => known(since));
  const lost = delivery.hooks.filter(({ since }) => !known(since));
  return {
    hooks: hooks.map(({ event, matcher, run, timeout, options }) => ({
      event,
      ...(matcher !== undefined && { matcher }),
      entry: {
        type: "command",
        command: `${hookStart} hook ${harness} ${run}`,
        timeout,
        ...options,
      },
    })),
    lost: lost.map(({ event, without }) => ({ event, without })),
  };
}

/** A hook of ours that was found in a file, with its place. */
interface Found extends OwnHook {
  readonly group: number;
  readonly index: number;
  readonly run: string;
}

/** What runs a hook of this program, of whatever folder and name, in a command that may have been edited. */
const ownCommand = (harness: string): RegExp =>
  new RegExp(
    String.raw`(?:^|[\s/='"])(?:service[\w.-]*|main\.ts)['"]?\s+hook\s+${harness}\s+([a-z-]+)`,
  );

/** The hooks of this program in a settings file, in their order. Nothing else is looked at. */
export function ownHooksIn(text: string, harness: string): Found[] {
  const hooks = nodeAt(jsonTree(text), ["hooks"])?.value;
  if (!isRecord(hooks)) return [];
  const command = ownCommand(harness);
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, groupIndex) => {
      if (!isRecord(group)) return [];
      const entries = listOf(group["hooks"]);
      const { matcher } = group;
      return entries.flatMap((entry, index) => {
        if (!isRecord(entry) || typeof entry["command"] !== "string") return [];
        const run = command.exec(entry["command"])?.[1];
        if (run === undefined) return [];
        return {
          ...(typeof matcher === "string" && { matcher }),
          event,
          entry: entry as OwnHook["entry"],
          run,
          index,
          group: groupIndex,
        };
      });
    }),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A hook without its place: what is compared, and what a record of it is a digest of. */
export const bare = ({ event, matcher, entry }: OwnHook): OwnHook => ({
  event,
  ...(matcher !== undefined && { matcher }),
  entry,
});

/** A digest of hooks, whatever their order. */
export const digestOfHooks = (hooks: readonly OwnHook[]): string =>
  digestOf(hooks.map((hook) => digestOf(bare(hook))).sort());

/** Whether the file has exactly these hooks of ours, whatever else it has. */
export function hasHooks(text: string, harness: string, wanted: readonly OwnHook[]): boolean {
  const found = ownHooksIn(text, harness).map(bare);
  return (
    found.length === wanted.length &&
    wanted.every((hook) => found.some((one) => Bun.deepEquals(one, hook)))
  );
}

/** The forms that a settings file must have for its hooks to be changed. */
export const hooksShape = (events: readonly string[]): Shape => ({
  hooks: {
    kind: "object",
    inside: Object.fromEntries(events.map((event) => [event, { kind: "array" }])),
  },
});

/**
 * Brings the hooks of this program in a settings file to what they should be. A hook of ours keeps its place if it has one
 * below its event; a new one stands at the end, because a harness's trust may hang on places. The text fits `hooksShape`.
 */
export function writeHooks(draft: Draft, harness: string, wanted: readonly OwnHook[]): void {
  const missing = new Set(wanted);
  const there = ownHooksIn(draft.text, harness).map((found) => {
    const hook = [...missing].find((one) => isSamePlace(found, one));
    if (hook) missing.delete(hook);
    return { found, hook };
  });
  // From the end, so that no place moves before its turn.
  for (const { found, hook } of there.reverse()) {
    const way = ["hooks", found.event, found.group, "hooks", found.index];
    if (!hook) removeHook(draft, found);
    else if (!Bun.deepEquals(found.entry, hook.entry)) replace(draft, way, hook.entry);
  }
  for (const hook of missing) addHook(draft, hook);
}

const isSamePlace = (found: Found, { event, matcher, entry }: OwnHook): boolean =>
  found.event === event && found.matcher === matcher && entry.command.endsWith(` ${found.run}`);

function addHook(draft: Draft, { event, matcher, entry }: OwnHook): void {
  const has = (...way: string[]) => nodeAt(jsonTree(draft.text), way) !== null;
  const group = { ...(matcher !== undefined && { matcher }), hooks: [entry] };
  if (!has("hooks")) append(draft, [], "hooks", { [event]: [group] });
  else if (!has("hooks", event)) append(draft, ["hooks"], event, [group]);
  else append(draft, ["hooks", event], null, group);
}

/** Takes every hook of ours out of a file, and the groups, events and members that are empty without them. */
export function removeHooks(draft: Draft, harness: string): void {
  for (const found of ownHooksIn(draft.text, harness).reverse()) removeHook(draft, found);
}

function removeHook(draft: Draft, { event, group, index }: Found): void {
  const list = ["hooks", event, group, "hooks"];
  remove(draft, list, index);
  if (nodeAt(jsonTree(draft.text), list)!.parts.length > 0) return;
  remove(draft, ["hooks", event], group);
  removeEmpty(draft, ["hooks"], event);
  removeEmpty(draft, [], "hooks");
}

/** Takes away a member that is an empty object or array. */
export function removeEmpty(draft: Draft, way: readonly string[], key: string): void {
  const value = nodeAt(jsonTree(draft.text), [...way, key])?.value;
  if (typeof value === "object" && value !== null && Object.keys(value).length === 0)
    removeMember(draft, way, key);
}
