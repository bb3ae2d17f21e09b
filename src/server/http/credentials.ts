import { refuse } from "../../contract/refusal.ts";
import type { Presented } from "../access.ts";
import type { Tools } from "../handler.ts";
import { sessionCookie } from "./cookies.ts";

const kinds = { abh_: "key", aba_: "agent", abb_: "browser", abd_: "delegation" } as const;

/**
 * What a request presents: null when nothing. A header that holds no credential of ours is refused like one that does
 * not work, and where there is a header no cookie is read.
 */
export function presentedBy(request: Request, { secrets, server }: Tools): Presented | null {
  const header = request.headers.get("authorization");
  const cookie = header === null ? sessionCookie(request, server) : null;
  if (header === null && cookie === null) return null;
  const token = header === null ? cookie! : /^Bearer ([A-Za-z0-9_-]{8,200})$/i.exec(header)?.[1];
  const kind = kinds[token?.slice(0, 4) as keyof typeof kinds];
  if (!token || !kind || (cookie !== null && kind !== "browser")) throw refuse("unauthorized");
  return { kind, digest: secrets.digest(token), ...(cookie !== null && { cookie: true }) };
}
