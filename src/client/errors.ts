import type { Details, ErrorBody, NextStep } from "../contract/refusal.ts";

/** An error the server answered with, in the one shape. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly details: Details | undefined;
  readonly next: NextStep | undefined;
  /** How many seconds the server asks to wait before the next try; null if it does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, { error }: ErrorBody, retryAfter: number | null = null) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.hint = error.hint;
    this.details = error.details;
    this.next = error.next;
    this.retryAfter = retryAfter;
  }

  /** This refusal with another hint, from code that knows more about this machine than the server does. */
  withHint(hint: string): ApiError {
    const { status, code, message, next, details, retryAfter } = this;
    const error = { code, message, hint, ...(next && { next }), ...(details && { details }) };
    return new ApiError(status, { error }, retryAfter);
  }
}

/** The server could not be reached, or what answered is not this service. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** The seconds of an answer's `Retry-After`, rounded up; null without one. A date counts from now. */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | null {
  const given = headers.get("retry-after");
  if (given === null) return null;
  if (/^\d{1,7}$/.test(given)) return Number(given);
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
