import { laterAt, type LaterOperation } from "../../contract/not-implemented.ts";
import { refuse } from "../../contract/refusal.ts";
import { admit } from "../access/admit.ts";
import { presentedBy } from "./credentials.ts";
import { missingPage, wantsPage } from "./pages.ts";
import { recognize } from "./recognize.ts";
import type { ServerParts } from "./server-parts.ts";

/** Refuses an unknown path or method, in a browser with a page. A dead credential comes first. */
export async function refuseUnknown(parts: ServerParts, request: Request): Promise<Response> {
  // A client may send a request line without a valid URL.
  const path = URL.parse(request.url)?.pathname ?? "";
  const later = laterAt(request.method, path);
  if (later) refuseLater(parts, later, request);
  if (path.startsWith("/v1/")) checkCredential(parts, request);
  if (wantsPage(request, path)) return missingPage();
  throw refuse("not_found", { what: `operation ${request.method} ${path}` });
}

/** Refuses an operation that the contract has and this server does not provide yet, after the usual checks of the caller. */
function refuseLater(parts: ServerParts, { op, feature }: LaterOperation, request: Request): never {
  const presented = presentedBy(request, parts.tools);
  if (!presented) throw refuse("unauthorized");
  recognize(parts, op, presented, request);
  parts.db.read((tx) => admit(tx, op, presented, {}));
  throw refuse("not_implemented", { feature });
}

/** Refuses a credential that does not work, where none is needed. */
export function checkCredential(parts: ServerParts, request: Request): void {
  const presented = presentedBy(request, parts.tools);
  if (presented) recognize(parts, null, presented, request);
}
