import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { changeJson, readJson, type JsonFile } from "./private-files.ts";

/** A reminder as it is shown: a fact and a command on one line, at most 200 bytes. */
export interface Nudge {
  readonly code: string;
  readonly text: string;
}

/**
 * How often a seat is shown a reminder: always; once in `everySeconds`; `times` times in all; or once for each subject,
 * which `onceFor` names.
 */
export type Rate =
  | "always"
  | { readonly everySeconds: number }
  | { readonly times: number }
  | { readonly onceFor: string };

/** A reminder whose time may have come. */
export interface Candidate extends Nudge {
  readonly rate: Rate;
}

/** The record of a shown reminder: when it was last shown, how often, and its subject. */
interface Shown {
  readonly at: string;
  readonly times: number;
  readonly about?: string;
}
type BySeat = Readonly<Record<string, Readonly<Record<string, Shown>>>>;

const longest = 200;
/** For how many seats records are kept. The seat that was shown a reminder longest ago is dropped first. */
const mostSeats = 500;

/**
 * The reminders to show a seat now; they are recorded as shown. None if `on` is false: the board has them off. If the file
 * cannot be read or written, only the candidates with the rate `always` are shown.
 */
export function nudgesFor(
  machine: Pick<Machine, "folders" | "clock">,
  { memberId, on }: { memberId: string; on: boolean },
  candidates: readonly Candidate[],
): Nudge[] {
  const fitting = candidates.filter(({ text }) => on && Buffer.byteLength(text) <= longest);
  const shown = fitting.filter(({ rate }) => rate === "always");
  const rated = fitting.filter(({ rate }) => rate !== "always");
  if (rated.length > 0) shown.push(...dueOf(machine, memberId, rated));
  return fitting.filter((each) => shown.includes(each)).map(({ code, text }) => ({ code, text }));
}

/** Whether any of the candidates is due for a seat, if its board has reminders on. Records nothing. */
export function mayBeDue(
  { folders, clock }: Pick<Machine, "folders" | "clock">,
  memberId: string,
  candidates: readonly Candidate[],
): boolean {
  const now = new Date(clock.now());
  try {
    const before = readJson(fileIn(folders.state))?.[memberId] ?? {};
    return candidates.some(({ code, rate }) => isDue(rate, before[code], now));
  } catch {
    return candidates.some(({ rate }) => rate === "always");
  }
}

/** The candidates that are due, recorded as shown. Of two commands at once only one shows them. */
function dueOf(
  { folders, clock }: Pick<Machine, "folders" | "clock">,
  memberId: string,
  candidates: readonly Candidate[],
): Candidate[] {
  const file = fileIn(folders.state);
  const now = new Date(clock.now());
  const dueIn = (before: BySeat[string]) =>
    candidates.filter(({ code, rate }) => isDue(rate, before[code], now));
  let due: Candidate[] = [];
  try {
    // Usually none is due, and nothing is written.
    if (dueIn(readJson(file)?.[memberId] ?? {}).length === 0) return [];
    changeJson(file, {}, (seats) => {
      const before = seats[memberId] ?? {};
      due = dueIn(before);
      const after = due.map(({ code, rate }) => [code, noted(rate, before[code], now)] as const);
      const { [memberId]: _, ...others } = seats;
      const own = { ...before, ...Object.fromEntries(after) };
      return Object.fromEntries([...Object.entries(others).slice(1 - mostSeats), [memberId, own]]);
    });
  } catch {
    return [];
  }
  return due;
}

function isDue(rate: Rate, last: Shown | undefined, now: Date): boolean {
  if (!last || rate === "always") return true;
  if ("everySeconds" in rate)
    // After a clock was put back, a reminder does not stay silent until it has caught up.
    return Math.abs(now.getTime() - Date.parse(last.at)) >= rate.everySeconds * 1000;
  return "times" in rate ? last.times < rate.times : last.about !== rate.onceFor;
}

const noted = (rate: Rate, last: Shown | undefined, now: Date): Shown => ({
  at: now.toISOString(),
  times: (last?.times ?? 0) + 1,
  ...(typeof rate === "object" && "onceFor" in rate && { about: rate.onceFor }),
});

const fileIn = (folder: string): JsonFile<BySeat> => ({
  path: join(folder, "nudges.json"),
  holds: (content): content is BySeat => isRecord(content) && Object.values(content).every(isSeat),
});
const isSeat = (seat: unknown) =>
  isRecord(seat) &&
  Object.values(seat).every(
    (shown) =>
      isRecord(shown) && typeof shown["at"] === "string" && typeof shown["times"] === "number",
  );
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
