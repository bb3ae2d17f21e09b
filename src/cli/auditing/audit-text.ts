import type { Typed } from "../frame/suggest.ts";
import { header } from "../messages/message-text.ts";
import { green, red, yellow } from "../terminal/style.ts";
import { counted } from "../terminal/table.ts";
import { when } from "../terminal/time-text.ts";
import type { Chain } from "../../client/verify.ts";
import type { Audit } from "./audit.ts";
import type { Restored } from "../../client/compare-heads.ts";

const reasons = {
  seq_gap: "an event is missing there",
  prev_hash_mismatch: "it does not follow from the event before it",
  hash_mismatch: "the event was changed after it was recorded",
  data_hash_mismatch: "the event's content was changed after it was recorded",
  history_rewritten: "the log no longer holds the event that this machine verified there",
};

interface Checked {
  readonly board: string;
  readonly url: string;
  /** Whether the person has accepted the restore. */
  readonly isAccepted: boolean;
}

/** What a check found, as text. */
export function auditText(typed: Typed, checked: Checked, found: Audit): string {
  const { chain, first_bad, restored } = found;
  return [
    header(`${checked.board} at ${checked.url}`, counted(chain.checked, "event", "events")),
    ...(first_bad
      ? brokenText(found, first_bad)
      : restored
        ? restoredText(typed, checked, found, restored)
        : wholeText(found)),
  ].join("\n");
}

const wholeText = ({ chain, pinned_head }: Audit): string[] => [
  `${green("The log holds")}: nothing was changed, taken out or put in.`,
  ...withheldText(chain),
  `Head #${chain.seq} ${chain.hash}`,
  pinned_head
    ? `It goes on from #${pinned_head.seq}, which this machine verified before.`
    : "This machine keeps the head and compares it the next time.",
];

const brokenText = ({ chain }: Audit, { seq, reason }: NonNullable<Audit["first_bad"]>) => [
  `${red("The log does not hold")} at #${seq}: ${reasons[reason]} (${reason}).`,
  ...withheldText(chain),
  ...(reason === "history_rewritten"
    ? ["No restore from a backup explains that, as far as this machine can check."]
    : []),
  `Up to #${chain.seq} it holds: ${chain.hash}`,
  "Ask whoever runs the server, and compare with others on the board what they verified.",
];

const restoredText = (
  typed: Typed,
  { isAccepted }: Checked,
  found: Audit,
  restored: Restored,
): string[] => [
  whatHappened(found, restored, yellow),
  ...withheldText(found.chain),
  `As it is now it holds: head #${found.chain.seq} ${found.chain.hash}`,
  ...(isAccepted
    ? [`Accepted: from now on this machine compares with #${found.chain.seq}.`]
    : [
        "Not accepted: the check fails. Ask whoever runs the server whether they restored it.",
        `If they did: ${typed("audit verify --accept-restore")}`,
      ]),
];

const withheldText = ({ withheld }: Chain): string[] =>
  withheld
    ? [
        `The content of ${counted(withheld, "event is", "events are")} not for this agent; the chain covers it all the same.`,
      ]
    : [];

/** The question whether a restore is accepted. */
export const restoreQuestion = (found: Audit, restored: Restored): string =>
  `${whatHappened(found, restored)} Accept that only if whoever runs the server says so. Do you accept the restore?`;

function whatHappened(
  { pinned_head }: Audit,
  restored: Restored,
  marked = (text: string) => text,
): string {
  const { agreed_seq, lost_seq, backup, at } = restored;
  const newest = pinned_head!.seq;
  const lost = newest === lost_seq ? `#${newest} is` : `#${lost_seq} to #${newest} are`;
  return `${marked("The log was put back")}: it says that the server was restored from the backup ${backup} of ${when(at)}. Of what this machine verified it has everything up to #${agreed_seq}; ${lost} gone.`;
}
