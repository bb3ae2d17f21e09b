/** What a one-time code stands for until it is used. */
export interface LoginCode {
  /** The key that asked for it, by row. */
  readonly keyRow: number;
  readonly expiresAt: string;
}

/** The one-time codes of a server, by digest, in memory alone: a restart voids them. */
export interface LoginCodes {
  add(digest: string, code: LoginCode, now: string): void;
  /** The code, if it is neither over nor used up by somebody else. */
  find(digest: string, now: string, taker?: object): LoginCode | null;
  /** Uses a code up. `taker` is the request: the one that took it finds it again, should its work have to run twice. */
  take(digest: string, taker: object): void;
}

/** Makes a server's memory of codes. Those that are over are let go whenever one is added. */
export function createLoginCodes(): LoginCodes {
  const codes = new Map<string, LoginCode & { taker?: object }>();
  return {
    add(digest, code, now) {
      for (const [known, { expiresAt }] of codes) if (expiresAt <= now) codes.delete(known);
      codes.set(digest, code);
    },
    find(digest, now, taker) {
      const code = codes.get(digest);
      if (!code || code.expiresAt <= now) return null;
      return code.taker === undefined || code.taker === taker ? code : null;
    },
    take(digest, taker) {
      const code = codes.get(digest);
      if (code) code.taker ??= taker;
    },
  };
}
