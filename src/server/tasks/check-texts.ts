import { refuse } from "../../contract/refusal.ts";

/** Refuses a text without any words. */
export function requireWords(text: string | undefined, what: string): void {
  if (text?.trim() === "") throw refuse("invalid_combination", { problem: `${what} is blank` });
}

/** Refuses a task's title that is blank or has more than one line. */
export function requireTitle(title: string | undefined): void {
  requireWords(title, "the title");
  if (title !== undefined && /[\r\n]/.test(title))
    throw refuse("invalid_combination", { problem: "a title must be one line" });
}
