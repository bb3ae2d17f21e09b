import type { Details } from "../../contract/refusal.ts";

/** A request that is refused. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
  readonly code: string;
  readonly hint: string;
  readonly details: Details | undefined;
  constructor(code: string, message: string, hint: string, details?: Details) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}
