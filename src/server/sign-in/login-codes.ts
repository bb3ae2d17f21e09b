import type { LoginCode, LoginCodes } from "../handler.ts";

/** Makes an empty memory of login codes. Adding a code drops the expired ones, which came first: all live equally long. */
export function createLoginCodes(): LoginCodes {
  const codes = new Map<string, LoginCode & { taker?: object }>();
  return {
    add(digest, code, now) {
      for (const [known, { expiresAt }] of codes) {
        if (expiresAt > now) break;
        codes.delete(known);
      }
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
