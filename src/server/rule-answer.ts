/** An answer of a rule with more than its JSON. */
export class RuleAnswer<T> {
  readonly value: T;
  /** Undefined for the operation's usual status. */
  readonly status: number | undefined;
  /** The new session of the browser: its secret and its end; null ends the session. */
  readonly session: { readonly secret: string; readonly expires_at: string } | null | undefined;

  constructor(value: T, besides: Partial<Pick<RuleAnswer<T>, "status" | "session">> = {}) {
    this.value = value;
    this.status = besides.status;
    this.session = besides.session;
  }
}
