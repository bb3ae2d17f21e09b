/** A start that failed. `code` and `hint` say why, and what to do. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  readonly code: string;
  readonly hint: string;
  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
