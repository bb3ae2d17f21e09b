import { kindOfSecret, type SecretKind } from "../../contract/credentials.ts";
import type { CredentialKind } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import type { Presented } from "../access/identify.ts";
import type { Tools } from "../handler.ts";
import { sessionCookie } from "./cookies.ts";

/** The kinds of secret that are credentials; the others are sent in a body. */
const credentialKinds: ReadonlySet<SecretKind> = new Set<CredentialKind>([
  "key",
  "agent",
  "browser",
  "delegation",
  "pairing",
]);
const isCredential = (kind: SecretKind | null): kind is CredentialKind =>
  kind !== null && credentialKinds.has(kind);

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
  const kind = token ? kindOfSecret(token) : null;
  if (!token || !isCredential(kind)) throw refuse("unauthorized");
  return { kind, digest: secrets.digest(token) };
}
