import { withoutSecrets } from "../../contract/credentials.ts";
import type { Operation } from "../../contract/operation.ts";
import { Refusal, refuse, type NextStep } from "../../contract/refusal.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { recordKeyUse } from "../../db/accounts.ts";
import type { KeyOfCaller } from "../../db/credentials.ts";
import { admitKind, identify, type Caller, type Presented } from "../access/identify.ts";
import { afterSeconds, minuteSeconds } from "../time.ts";
import { ownOrigin } from "./cookies.ts";
import type { ServerParts } from "./server-parts.ts";

interface Recognition {
  readonly caller?: Caller;
  /** Set if the seat has ended and this may repeat the call that ended it. Any other call gets this refusal. */
  readonly ended?: Refusal;
}

/**
 * Finds the caller before anything else is read. Refuses a credential that does not work or whose kind the operation does
 * not take, and a change by cookie from a page of another site.
 */
export function recognize(
  parts: ServerParts,
  op: Operation | null,
  presented: Presented,
  request: Request,
  params: Readonly<Record<string, string>> = {},
): Recognition {
  try {
    const { caller, unnoted } = parts.db.read((tx) => {
      const caller = identify(tx, presented);
      return { caller, unnoted: isUnnoted(tx.now, caller.key) };
    });
    const { kind, key, session } = caller;
    if (op && (op.access !== "anyone" || kind === "delegation" || kind === "pairing"))
      admitKind(op, kind, nextStep(op, parts.tools.server.url, params));
    if (op && presented.cookie && session) checkPage(parts, request, session.id);
    if (unnoted) noteUse(parts, key);
    return { caller };
  } catch (error) {
    const repeats = op?.replayAfterEnd && request.headers.has("idempotency-key");
    if (repeats && error instanceof Refusal && error.entry === "agent_removed")
      return { ended: error };
    throw error;
  }
}

/** The command that the person of a refused caller can run instead, with the server's address and the path's values. */
function nextStep(
  { next }: Operation,
  server: string,
  params: Readonly<Record<string, string>>,
): NextStep | undefined {
  if (!next) return undefined;
  const values: Readonly<Record<string, string>> = { ...params, server };
  // The path is not validated yet, so its values may be anything.
  const fill = (_: string, name: string) => shellWord(withoutSecrets(values[name] ?? ""));
  return { ...next, command: next.command.replace(/\{(\w+)\}/g, fill) };
}

/** Refuses a change by cookie that does not come from the server's own page, because a browser sends cookies by itself. */
function checkPage({ tools }: ServerParts, request: Request, sessionId: string): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  const own = ownOrigin(request, tools.server);
  if (origin !== own)
    throw refuse("origin_not_allowed", { origin: origin ?? "missing", address: own });
  const given = Buffer.from(request.headers.get("x-service-csrf") ?? "");
  const expected = Buffer.from(tools.secrets.csrf(sessionId));
  if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected))
    throw refuse("csrf_token_invalid");
}

/** Whether to record a key's use now. That is done at most once a minute. */
const isUnnoted = (now: string, { last_used_at: last }: KeyOfCaller): boolean =>
  last === null || last <= afterSeconds(now, -minuteSeconds);

/** Records the use of a key. If the key ends by idleness, its end moves. */
function noteUse({ db, log }: ServerParts, key: KeyOfCaller): void {
  const use = db.write((tx) => {
    const moved =
      key.idle_expiry_seconds === null
        ? key.expires_at
        : afterSeconds(tx.now, key.idle_expiry_seconds);
    recordKeyUse(tx, key.row, moved);
  });
  use.catch((error: Error) => log({ level: "error", message: `key use: ${error.message}` }));
}
