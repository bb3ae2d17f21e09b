import { ApiError, Unreachable } from "./api.ts";

/** What went wrong, in one sentence, with what to do next. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.message} ${error.hint}`;
  if (error instanceof Unreachable)
    return "The server does not answer. It is tried again by itself.";
  return error instanceof Error ? error.message : String(error);
}
