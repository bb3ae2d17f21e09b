import { refuse } from "../../contract/refusal.ts";
import { hasControls, trimmedOrNull } from "../names.ts";

/** A trimmed board title; null if it is empty. Refuses line breaks and other control characters. */
export function titleFrom(given: string | undefined): string | null {
  const title = trimmedOrNull(given);
  if (title && hasControls(title))
    throw refuse("invalid_combination", {
      problem: "a title is one line without control characters",
    });
  return title;
}
