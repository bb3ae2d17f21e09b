import { longestName } from "../contract/limits.ts";
import { handleForm } from "../contract/forms.ts";
import { boardNameTaken } from "../db/boards.ts";
import type { ReadTx } from "../db/engine/database.ts";
import { holderOfName, isHeldBack } from "../db/members.ts";

/** Makes a handle of a text: at most 40 lowercase letters, digits and single dashes; `human` if nothing is left. */
export const normalized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, longestName)
    .replace(/-$/, "") || "human";

export const isHandle = (text: string): boolean =>
  text.length <= longestName && new RegExp(handleForm).test(text);

/** The first free of `base`, `base-2`, `base-3`, …, cut to 40 characters, with no two dashes in a row. */
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

/** Whether a member name is taken on a board. Names of ended seats and names from before a rename stay taken. */
export const memberNameTaken = (tx: ReadTx, boardRow: number, name: string): boolean =>
  holderOfName(tx, boardRow, name) !== null || isHeldBack(tx, boardRow, name);

/** A member name that is not taken, made from a base. */
export const freeMemberName = (tx: ReadTx, boardRow: number, base: string): string =>
  firstFree(base, (name) => memberNameTaken(tx, boardRow, name));

/** The first free of `agent-1`, `agent-2`, …: how agents are named where harnesses are not shown. */
export function freeAgentNumber(tx: ReadTx, boardRow: number): string {
  for (let n = 1; ; n++) if (!holderOfName(tx, boardRow, `agent-${n}`)) return `agent-${n}`;
}

const shortNames = new Map([["claude-code", "claude"]]);

/** The base of an agent's name if nobody chose one: the short name of its harness, else its role. */
export function agentNameBase(harness: string | null, role: string): string {
  if (!harness || !/[a-z0-9]/i.test(harness)) return role;
  return shortNames.get(harness) ?? normalized(harness);
}

/** Trims a text; null if it is empty then. */
export const trimmedOrNull = (text: string | undefined): string | null => text?.trim() || null;

/** Whether a text holds a control character or a line break of any kind. */
export const hasControls = (text: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
