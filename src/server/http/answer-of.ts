import type { OperationName } from "../../contract/index.ts";
import { asRefusal, problem } from "./problems.ts";
import { logAnswered, logRefused, seenNow, type Seen } from "./request-log.ts";
import type { ServerParts } from "./server-parts.ts";

/** Answers a request, with a refusal if that is what happens, and notes it in the log and in the figures. */
export async function answerOf(
  parts: ServerParts,
  request: Request,
  answer: (seen: Seen) => Promise<Response>,
  name: OperationName | null = null,
): Promise<Response> {
  const seen = seenNow(parts, request, name);
  try {
    return answered(parts, request, seen, await answer(seen));
  } catch (error) {
    const refusal = asRefusal(error, (fault) => parts.log({ ...fault, request: seen.id }));
    if (name) parts.inspect?.(name, refusal);
    logRefused(parts, request, seen, refusal);
    return answered(parts, request, seen, problem(refusal));
  }
}

function answered(parts: ServerParts, request: Request, seen: Seen, response: Response): Response {
  parts.numbers.answered(seen.operation, response.status, performance.now() - seen.began);
  return logAnswered(parts, request, seen, response);
}
