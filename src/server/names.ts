import { longestName } from "../contract/limits.ts";
import { handleForm } from "../contract/forms.ts";
import { boardNameTaken } from "../db/boards.ts";
import type { ReadTx } from "../db/engine/database.ts";
import { isHeldBack, memberNamed } from "../db/members.ts";

/** The handle nearest to a text: lowercase letters, digits and single dashes, at most 40; `human` when nothing is left. */
export const normalized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, longestName)
    .replace(/-$/, "") || "human";

export const isHandle = (text: string): boolean =>
  text.length <= longestName && new RegExp(handleForm).test(text);

/**
 * The first free of `base`, `base-2`, `base-3`, …, the base cut so that the whole stays within 40 characters and no two
 * dashes meet.
 */
export function firstFree(base: string, taken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? "" : `-${n}`;
    const cut = base.slice(0, longestName - suffix.length);
    const name = n === 1 ? cut : cut.replace(/-$/, "") + suffix;
    if (!taken(name)) return name;
  }
}

export const freeBoardName = (tx: ReadTx, base: string): string =>
  firstFree(base, (name) => boardNameTaken(tx, name));

/** Whether a member name is not to be had on a board. Names of ended seats stay taken, and those that a rename gave up. */
export const memberNameTaken = (tx: ReadTx, boardRow: number, name: string): boolean =>
  memberNamed(tx, boardRow, name) !== null || isHeldBack(tx, boardRow, name);

/** A free member name. */
export const freeMemberName = (tx: ReadTx, boardRow: number, base: string): string =>
  firstFree(base, (name) => memberNameTaken(tx, boardRow, name));

/** The first free of `agent-1`, `agent-2`, …: how agents are named where harnesses are not shown. */
export function freeAgentNumber(tx: ReadTx, boardRow: number): string {
  for (let n = 1; ; n++) if (!memberNamed(tx, boardRow, `agent-${n}`)) return `agent-${n}`;
}

const shortNames = new Map([["claude-code", "claude"]]);

/** What an agent is called after when nobody chose: its harness's short name, else its role. */
export function agentNameBase(harness: string | null, role: string): string {
  if (!harness || !/[a-z0-9]/i.test(harness)) return role;
  return shortNames.get(harness) ?? normalized(harness);
}

/** A text as a person meant it: trimmed, null when empty. */
export const trimmedOrNull = (text: string | undefined): string | null => text?.trim() || null;

/** Whether a text holds a control character or a line break of any kind. */
export const hasControls = (text: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
