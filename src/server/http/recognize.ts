import type { Operation } from "../../contract/operation.ts";
import { Refusal } from "../../contract/refusal.ts";
import { recordKeyUse } from "../../db/accounts.ts";
import type { KeyOfCaller } from "../../db/credentials.ts";
import { admitKind, identify, type Presented } from "../access.ts";
import { afterSeconds, minuteSeconds } from "../time.ts";
import type { Parts } from "./parts.ts";

/**
 * Refuses a credential that does not work, or is not of a kind the operation takes, before anything else is read. Of an
 * ended seat that may be repeating the call that ended it, gives the refusal of everything but that repeat.
 */
export function recognize(
  parts: Parts,
  op: Operation | null,
  presented: Presented,
  request: Request,
): Refusal | null {
  try {
    const { kind, key, unnoted } = parts.db.read((tx) => {
      const caller = identify(tx, presented);
      return { ...caller, unnoted: isUnnoted(tx.now, caller.key) };
    });
    if (op && op.access !== "anyone") admitKind(op, kind);
    if (unnoted) noteUse(parts, key);
    return null;
  } catch (error) {
    const repeats = op?.replayAfterEnd && request.headers.has("idempotency-key");
    if (repeats && error instanceof Refusal && error.entry === "agent_removed") return error;
    throw error;
  }
}

/** Whether a key's use is due to be recorded: at most once a minute is. */
const isUnnoted = (now: string, { last_used_at: last }: KeyOfCaller): boolean =>
  last === null || last <= afterSeconds(now, -minuteSeconds);

/** Records that a key is used. One that ends by idleness lives on from now. */
function noteUse({ db, log }: Parts, key: KeyOfCaller): void {
  const use = db.write((tx) => {
    const moved =
      key.idle_expiry_seconds === null
        ? key.expires_at
        : afterSeconds(tx.now, key.idle_expiry_seconds);
    recordKeyUse(tx, key.row, moved);
  });
  use.catch((error: Error) => log({ level: "error", message: `key use: ${error.message}` }));
}
