import type { Details, ErrorBody, NextStep } from "../contract/refusal.ts";

/** An error the server answered with, in the one shape. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly details: Details | undefined;
  readonly next: NextStep | undefined;

  constructor(status: number, { error }: ErrorBody) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.hint = error.hint;
    this.details = error.details;
    this.next = error.next;
  }

  /** This refusal with another hint, from code that knows more about this machine than the server does. */
  withHint(hint: string): ApiError {
    const { status, code, message, next, details } = this;
    const error = { code, message, hint, ...(next && { next }), ...(details && { details }) };
    return new ApiError(status, { error });
  }
}

/** The server could not be reached, or what answered is not this service. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
