import type { ReadTx } from "../db/engine/database.ts";
import type { HeldInbox } from "../db/engine/held-inboxes.ts";
import { presenceOf, type PresenceRow } from "../db/presences.ts";
import { afterSeconds, heldInboxSeconds, presenceSeconds } from "./time.ts";

/**
 * The presence of an agent now: what it reported last, or `idle` while it waits for messages and for a minute after, if
 * it has reported nothing since it began to wait.
 */
export function presenceNow(tx: ReadTx, memberRow: number) {
  const report = presenceOf(tx, memberRow);
  const reported = reportedNow(tx.now, report);
  if (reported.presence === "idle") return reported;
  const held = tx.heldInboxes
    .of(memberRow)
    .findLast((call) => isWaiting(tx.now, call) && isUnreported(call, report));
  if (!held) return reported;
  const isFirst = report === null || report.reported_at < held.since;
  return {
    presence: "idle",
    presence_since: isFirst ? held.since : held.begun,
    delivery: reported.delivery,
  } as const;
}

/** Whether a call for messages is open, or ended less than a minute ago. */
const isWaiting = (now: string, { ended }: HeldInbox): boolean =>
  ended === null || ended > afterSeconds(now, -heldInboxSeconds);

/** Whether an agent has reported nothing since a call began. */
export const isUnreported = ({ begun }: HeldInbox, report: PresenceRow | null): boolean =>
  report === null || report.reported_at < begun;

/** What an agent reported last. A report that was not renewed for three minutes has lapsed. */
function reportedNow(now: string, report: PresenceRow | null) {
  if (!report) return { presence: "no_session", presence_since: null, delivery: null } as const;
  const lapsed = report.reported_at <= afterSeconds(now, -presenceSeconds);
  return {
    presence: lapsed ? "no_session" : report.presence,
    presence_since: lapsed && report.presence !== "no_session" ? report.reported_at : report.since,
    delivery: report.delivery,
  };
}
