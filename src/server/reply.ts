/** What a rule answers with when there is more to say than its JSON. */
export class Reply<T> {
  readonly value: T;
  /** Where it is not the operation's usual one. */
  readonly status: number | undefined;
  /** The browser's session from now on: its secret and its end, or null to take it away. */
  readonly session: { readonly secret: string; readonly expires_at: string } | null | undefined;

  constructor(value: T, besides: Partial<Pick<Reply<T>, "status" | "session">> = {}) {
    this.value = value;
    this.status = besides.status;
    this.session = besides.session;
  }
}
