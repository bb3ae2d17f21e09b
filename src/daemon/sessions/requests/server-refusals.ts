import { ApiError, Unreachable } from "../../../client/client.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import { RequestRefused } from "../held/requests.ts";

/** What went wrong at a server, as the daemon answers it. A server's refusal passes on unchanged. */
export function refusedBy(error: unknown): unknown {
  const cause = error instanceof Unreachable && error.cause instanceof LocalError;
  const known = cause ? (error.cause as LocalError) : error;
  if (known instanceof LocalError)
    return new RequestRefused(known.code, known.message, known.hint, known.details);
  if (isOutdated(error)) return outdated();
  if (error instanceof Unreachable || (error instanceof ApiError && error.status >= 500))
    return new RequestRefused(
      "server_unreachable",
      `The server gave no answer: ${error.message}.`,
      "Try again. A seat that was given meanwhile is found again.",
    );
  if (!(error instanceof ApiError)) return error;
  return new RequestRefused(error.code, error.message, hintOf(error), error.details);
}

const hintOf = ({ code, hint }: ApiError): string =>
  code === "delegation_revoked"
    ? "Try again. If that does not help, its person signs in again, in a terminal: `service login` with a key."
    : hint;

const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 501 || error.code === "not_found");

const outdated = () =>
  new RequestRefused(
    "server_outdated",
    "The server's build does not know how sessions get onto boards.",
    "A local one is replaced by `service down` and the next command. A team's is upgraded by its operator.",
  );
