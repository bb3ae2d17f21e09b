import { plainText } from "../agent-text/text-element.ts";
import { inTools } from "./in-tools.ts";

/** A refusal, from whichever side it came. */
interface Refused {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly details?: object;
}

/** Whether something thrown is a refusal of the service. Anything else is a fault. */
export const isRefused = (error: unknown): error is Refused =>
  error instanceof Error &&
  typeof (error as Partial<Refused>).code === "string" &&
  typeof (error as Partial<Refused>).hint === "string";

const argumentsHint =
  'The list of tools has the arguments of each; `api` {"operation":"NAME"} describes an operation.';

/** A refusal as a tool answers it, with tools instead of commands in its hint. */
export function problemOf(error: Refused): Refused {
  const hint =
    error.code === "invalid_request" && !error.hint.includes("`")
      ? argumentsHint
      : inTools(error.hint);
  const { code, details } = error;
  return {
    code,
    message: plainText(error.message),
    hint: plainText(hint),
    ...(details && { details }),
  };
}
