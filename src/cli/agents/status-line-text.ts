import type { OutputOf } from "../../contract/index.ts";
import { oneLine } from "../terminal/clean.ts";
import { when } from "../terminal/time-text.ts";

/** An agent as a member of its board. */
export type Member = OutputOf<"setLine">;
type Line = NonNullable<Member["line"]>;

/** A status line as text. */
export function lineText({ kind, text, until, task }: Line, state: Member["state"]): string {
  const time = until === null ? "" : ` until ${when(until)}`;
  const about = task ? ` (${oneLine(task.ref)})` : "";
  const isLate = kind === "paused" && state === "late";
  return `${isLate ? "late, was paused" : kind}${time}: ${oneLine(text)}${about}`;
}
