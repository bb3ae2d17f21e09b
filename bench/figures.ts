import { median, middleHalf } from "./stats.ts";

/** The target of a figure, and whether it is for its value or its ratio. */
export interface Target {
  at: "least" | "most";
  bound: number;
  of: "value" | "ratio";
}

/** What is published when a target is missed: where the time or the memory goes, as a Markdown text. */
export interface Profile {
  name: string;
  take(scratch: string): Promise<string>;
}

/** One line of the table: a measured median, what it is compared with, and what it is to reach. */
export interface Row {
  what: string;
  value: number;
  unit: string;
  against?: { what: string; value: number };
  ratio?: number;
  /** The middle half of the runs' own ratios, or of their values where nothing is beside them. */
  spread: readonly [number, number];
  target?: Target;
  profile?: Profile;
}

/** Figures that are no median of runs, as they are printed. */
export interface Table {
  head: string[];
  rows: string[][];
}

/** The rows of one part of the run, with what was measured and how. */
export interface Section {
  title: string;
  definitions: string[];
  rows: Row[];
  table?: Table;
}

/** A figure in three digits: 12,345 and 123 and 12.3 and 0.123. */
export function figure(value: number): string {
  const whole = Math.abs(value) >= 100 || value === 0;
  return whole ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

export const atLeast = (bound: number, of: Target["of"] = "ratio"): Target => ({
  at: "least",
  bound,
  of,
});
export const atMost = (bound: number, of: Target["of"] = "ratio"): Target => ({
  at: "most",
  bound,
  of,
});

/** One value for each of the alternating runs. */
export interface Series {
  what: string;
  values: readonly number[];
}

type Extra = Pick<Row, "target" | "profile">;

/** The medians of two series, and the median of the ratios that the runs have one by one. */
export function compared(unit: string, own: Series, other: Series, extra: Extra = {}): Row {
  const ratios = own.values.map((value, run) => value / other.values[run]!);
  return {
    what: own.what,
    value: median(own.values),
    unit,
    against: { what: other.what, value: median(other.values) },
    ratio: median(ratios),
    spread: middleHalf(ratios),
    ...extra,
  };
}

/** The median of one series. */
export const alone = (unit: string, { what, values }: Series, extra: Extra = {}): Row => ({
  what,
  value: median(values),
  unit,
  spread: middleHalf(values),
  ...extra,
});

/** What a run says about a target. */
export type Verdict = "reached" | "within the spread" | "MISSED";

/**
 * Whether a row reached its target; undefined where it has none. A median that is off its target by less than the runs differ
 * among themselves is no miss: another run may reach it.
 */
export function verdictOf({ value, ratio, spread, target }: Row): Verdict | undefined {
  if (!target) return undefined;
  const { at, bound, of } = target;
  const meets = (figure: number) => (at === "least" ? figure >= bound : figure <= bound);
  if (meets(of === "ratio" ? ratio! : value)) return "reached";
  // The spread is that of the ratios where there are ratios.
  const comparable = (of === "ratio") === (ratio !== undefined);
  return comparable && spread.some(meets) ? "within the spread" : "MISSED";
}
