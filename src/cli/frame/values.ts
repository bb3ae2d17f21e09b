import { usageError } from "../../client/machine/local-error.ts";

/** Reads a whole number from `least` to `greatest`. `what` names it in the refusal, such as `--limit`. */
export function integer(what: string, text: string, least: number, greatest: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= greatest))
    throw usageError(
      `${what} is not a whole number from ${least} to ${greatest}: ${text}.`,
      `Write it in digits, such as \`${what} ${Math.min(Math.max(least, 10), greatest)}\`.`,
    );
  return value;
}

const seconds = { y: 31_536_000, w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 } as const;

/** A duration such as `2h`, `90m`, `1h30m` or `7d` in seconds, within bounds. */
export function duration(what: string, text: string, least: string, greatest: string): number {
  const value = secondsOf(text);
  if (!(value >= secondsOf(least) && value <= secondsOf(greatest)))
    throw usageError(
      `${what} is not a duration from ${least} to ${greatest}: ${text}.`,
      "Write it as a number and a unit, such as `90m`, `24h` or `7d`.",
    );
  return value;
}

function secondsOf(text: string): number {
  if (!/^(\d+[ywdhms])+$/.test(text)) return NaN;
  return [...text.matchAll(/(\d+)([ywdhms])/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * seconds[unit as keyof typeof seconds],
    0,
  );
}

/** A handle with or without its `@`. */
export const handle = (text: string): string => text.replace(/^@/, "");
