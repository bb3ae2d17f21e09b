import type { Env } from "../../client/machine/machine.ts";
import { withoutControls } from "./clean.ts";
import { inSession } from "../../client/machine/harness.ts";

// Noncharacters of Unicode, which cleaned text cannot contain. Text is cleaned of control characters before the marks
// become colours.
const end = "\ufdd9";
const styles = {
  bold: ["\ufdd0", "\x1b[1m"],
  dim: ["\ufdd1", "\x1b[2m"],
  red: ["\ufdd2", "\x1b[31m"],
  green: ["\ufdd3", "\x1b[32m"],
  yellow: ["\ufdd4", "\x1b[33m"],
  cyan: ["\ufdd5", "\x1b[36m"],
} as const;
const codes = new Map<string, string>([...Object.values(styles), [end, "\x1b[0m"]]);

const styled = (name: keyof typeof styles) => (text: string) => `${styles[name][0]}${text}${end}`;
export const bold = styled("bold");
export const dim = styled("dim");
export const red = styled("red");
export const green = styled("green");
export const yellow = styled("yellow");
export const cyan = styled("cyan");

/** Whether an output may be coloured. The words are the same either way. */
export const mayColour = (env: Env, output: { isTerminal(): boolean }): boolean =>
  !env["NO_COLOR"] && env["TERM"] !== "dumb" && output.isTerminal() && !inSession(env);

/** Text ready for an output: without control characters, and with its colours if it has some and `mayColour` is true. */
export function shown(text: string, mayColour: () => boolean): string {
  const cleaned = withoutControls(text);
  // Whether a terminal is there takes two questions to the system, and most lines have no colour.
  if (cleaned.search(marks) < 0) return cleaned;
  const colour = mayColour();
  return cleaned.replaceAll(marks, (mark) => (colour ? (codes.get(mark) ?? "") : ""));
}
const marks = /[\ufdd0-\ufdd9]/g;
