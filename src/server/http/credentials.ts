import { kindOfSecret, type SecretKind } from "../../contract/credentials.ts";
import type { CredentialKind } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import type { Presented } from "../access/identify.ts";
import type { Tools } from "../handler.ts";
import { sessionCookie } from "./cookies.ts";

/** The kinds of secret that a header may present. Other kinds are sent in a body. */
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
 * The credential of a request; null if it has none. A header without a credential of this service is refused like one
 * that does not work. If there is a header, the cookie is not read. One that is presented `once` for a long time, as a
 * stream's, does not stay in memory with its digest.
 */
export function presentedBy(
  request: Request,
  { secrets, server }: Tools,
  once = false,
): Presented | null {
  const header = request.headers.get("authorization");
  if (header === null) {
    const cookie = sessionCookie(request, server);
    // Any text in the cookie counts as a session, which works or does not. Other pages of the host can write the
    // cookie, and must not keep the browser from signing in.
    return cookie === null
      ? null
      : { kind: "browser", digest: secrets.digest(cookie), cookie: true };
  }
  const token = /^Bearer ([A-Za-z0-9_-]{8,200})$/i.exec(header)?.[1];
  const kind = token ? kindOfSecret(token) : null;
  if (!token || !isCredential(kind)) throw refuse("unauthorized");
  return { kind, digest: (once ? secrets : secrets.presented).digest(token) };
}
