import { useMemo } from "preact/hooks";
import { ApiError } from "../core/connection/api.ts";
import { sentenceOf } from "../core/connection/problems.ts";

export { sentenceOf } from "../core/connection/problems.ts";

/** Says that something could not be read, and offers to try again. The rest of the page stays. */
export function Failed({
  what,
  error,
  again,
}: {
  what: string;
  error: unknown;
  again?: () => void;
}) {
  // What a log is searched by.
  const at = useMemo(() => new Date().toLocaleTimeString("en-GB"), [error]);
  return (
    <div class="empty" role="alert">
      <p>
        <b>{what}</b>
      </p>
      <p class="dim">{sentenceOf(error)}</p>
      <p class="muted mono">
        {error instanceof ApiError && `${error.code}, `}
        {at}
      </p>
      {again && (
        <button class="b" type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
