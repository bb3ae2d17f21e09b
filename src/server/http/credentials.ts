import { refuse } from "../../contract/refusal.ts";
import type { Presented } from "../access.ts";
import type { Secrets } from "../secrets.ts";

const kinds = { abh_: "key", aba_: "agent" } as const;

/** What a request presents: null when nothing. A header that holds no credential of ours is refused like one that does not work. */
export function presentedBy(request: Request, secrets: Secrets): Presented | null {
  const header = request.headers.get("authorization");
  if (header === null) return null;
  const token = /^Bearer ([A-Za-z0-9_-]{8,200})$/i.exec(header)?.[1];
  const kind = kinds[token?.slice(0, 4) as keyof typeof kinds];
  if (!token || !kind) throw refuse("unauthorized");
  return { kind, digest: secrets.digest(token) };
}
