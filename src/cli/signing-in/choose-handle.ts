import { ApiError } from "../../client/client.ts";
import type { Cli } from "../frame/cli.ts";
import { note } from "../frame/output.ts";
import { askFor, mayAsk } from "../frame/questions.ts";
import { handle as handleFrom } from "../frame/values.ts";

/** How often a person is asked for a handle before the refusal ends the command. */
const mostTries = 5;

/**
 * Does something with a handle: the one given with the command, or else what a person types. A person whose handle the server
 * refuses is told why and asked again, because nothing was used up. A handle that came with the command is tried once.
 */
export async function withHandle<T>(
  cli: Cli,
  given: string | undefined,
  { question, fallback }: { readonly question: string; readonly fallback: string },
  act: (handle: string) => Promise<T>,
): Promise<T> {
  const ask = (proposed: string) => handleFrom(askFor(cli, question, proposed));
  let handle = given === undefined ? ask(fallback) : handleFrom(given);
  for (let tries = 1; ; tries++) {
    try {
      return await act(handle);
    } catch (error) {
      if (given !== undefined || !mayAsk(cli) || tries === mostTries || !isOfHandle(error))
        throw error;
      note(cli, error.message);
      const next = ask("");
      // Without a next answer, as at the end of the input, the refusal stands.
      if (next === "") throw error;
      handle = next;
    }
  }
}

const isOfHandle = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === "handle_taken" || error.code === "handle_invalid");
