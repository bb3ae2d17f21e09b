/** The database could not be opened. `code` says why: `server_already_running`, `data_newer` or `data_unusable`. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  readonly code: "server_already_running" | "data_newer" | "data_unusable";
  readonly hint: string;
  constructor(code: DatabaseUnavailable["code"], message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
}
