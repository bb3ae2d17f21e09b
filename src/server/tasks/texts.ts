import { refuse } from "../../contract/refusal.ts";
import { hasControls } from "../names.ts";

/** Refuses a text without any words. */
export function requireWords(text: string | undefined, what: string): void {
  if (text?.trim() === "") throw refuse("invalid_combination", { problem: `${what} is blank` });
}

/** Refuses a short text that is blank, has more than one line, or holds what a terminal would act on. */
export function requireOneLine(text: string | undefined, what: string): void {
  requireWords(text, what);
  if (text !== undefined && hasControls(text))
    throw refuse("invalid_combination", {
      problem: `${what} is not one line without control characters`,
    });
}
