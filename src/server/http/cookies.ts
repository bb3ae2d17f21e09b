import type { Tools } from "../handler.ts";
import type { RuleAnswer } from "../rule-answer.ts";

type Server = Tools["server"];

/** The cookie that holds a browser's session. Browsers share cookies between the ports of a host, so a local one names its port. */
const cookieName = ({ mode, url }: Server): string =>
  mode === "team" ? "__Host-service_session" : `service_session_${new URL(url).port || "80"}`;

/** The session secret in a request's cookie. */
export function sessionCookie(request: Request, server: Server): string | null {
  const name = `${cookieName(server)}=`;
  const pairs = request.headers.get("cookie")?.split(/; */) ?? [];
  return pairs.find((pair) => pair.startsWith(name))?.slice(name.length) ?? null;
}

/** The header that sets a browser's session cookie, or removes it. */
export function setCookie(
  server: Server,
  session: NonNullable<RuleAnswer<unknown>["session"]> | null,
) {
  const lasting = session ? `Expires=${new Date(session.expires_at).toUTCString()}` : "Max-Age=0";
  const secure = server.mode === "team" ? "; Secure" : "";
  return `${cookieName(server)}=${session?.secret ?? ""}; Path=/; HttpOnly; SameSite=Lax; ${lasting}${secure}`;
}

/** The server's own origin, as a browser names it after it reached the server under this request's host. */
export const ownOrigin = (request: Request, { mode, url }: Server): string =>
  mode === "team" ? new URL(url).origin : `http://${request.headers.get("host")?.toLowerCase()}`;
