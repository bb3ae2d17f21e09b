import { ApiError } from "../../client/client.ts";

/** What is known of the requests that were sent under one Idempotency-Key. */
export interface Attempts {
  /** How many were sent. */
  readonly count: number;
  /** Whether one of them may have been done although no answer came. */
  readonly isOpen: boolean;
}

const none: Attempts = { count: 0, isOpen: false };

/** Keeps what became of the writes of one client, by their Idempotency-Keys. */
export function attemptsByKey() {
  const known = new Map<string, Attempts>();
  const of = (key: string): Attempts => known.get(key) ?? none;
  const note = (request: Request, isOpen: boolean): void => {
    const key = request.headers.get("idempotency-key");
    if (key === null) return;
    const before = of(key);
    known.set(key, { count: before.count + 1, isOpen: before.isOpen || isOpen });
  };
  return {
    of,
    /** Sends a request, and notes whether it may have been done. Until its answer is read whole, it may have been. */
    async sent(request: Request, send: () => Promise<Response>): Promise<Response> {
      try {
        const response = await send();
        note(request, response.ok || response.status >= 500);
        return response;
      } catch (error) {
        note(request, mayHaveArrived(error));
        throw error;
      }
    },
  };
}

/** Codes of connections that were never made. */
const neverMade =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH)$|CERT|SIGNATURE|TLS|SSL/;

/** Whether a request that failed may have reached its server. Our own refusals come before anything is sent. */
function mayHaveArrived(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === "LocalError") return false;
  return !neverMade.test((error as { code?: string }).code ?? "");
}

/** Whether a refusal leaves open what became of an earlier try: the server did not look for it under its key. */
const looksNotBack = ({ status }: ApiError): boolean =>
  status === 401 || status === 429 || status >= 500;

/** Whether nobody can tell if a write was done, after these attempts and the error that ended them. */
export function isUncertain({ count, isOpen }: Attempts, error: unknown): boolean {
  if (!(error instanceof ApiError)) return isOpen;
  // The first answer of a server that works says what happened, whatever its status.
  return isOpen && count > 1 && looksNotBack(error);
}
