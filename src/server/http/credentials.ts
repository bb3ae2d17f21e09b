import { refuse } from "../../contract/refusal.ts";
import type { Presented } from "../access.ts";
import type { Tools } from "../handler.ts";
import { sessionCookie } from "./cookies.ts";

const kinds = {
  abh_: "key",
  aba_: "agent",
  abb_: "browser",
  abd_: "delegation",
  abp_: "pairing",
} as const;

/**
 * What a request presents: null when nothing. A header that holds no credential of ours is refused like one that does
 * not work, and where there is a header no cookie is read.
 */
export function presentedBy(request: Request, { secrets, server }: Tools): Presented | null {
  const header = request.headers.get("authorization");
  if (header === null) {
    const cookie = sessionCookie(request, server);
    // Whatever stands in the cookie is a browser's session that works or does not: other pages of the host can write
    // to it, and must not keep the browser from signing in.
    return cookie === null
      ? null
      : { kind: "browser", digest: secrets.digest(cookie), cookie: true };
  }
  const token = /^Bearer ([A-Za-z0-9_-]{8,200})$/i.exec(header)?.[1];
  const kind = kinds[token?.slice(0, 4) as keyof typeof kinds];
  if (!token || !kind) throw refuse("unauthorized");
  return { kind, digest: secrets.digest(token) };
}
