import type { Typed } from "../frame/suggest.ts";
import { header } from "../messages/message-text.ts";
import { green, red, yellow } from "../terminal/style.ts";
import { counted } from "../terminal/table.ts";
import { when } from "../terminal/time-text.ts";
import type { Audit } from "./audit.ts";
import type { Restored } from "./compare-heads.ts";

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
export function auditText(typed: Typed, { board, url, isAccepted }: Checked, found: Audit): string {
  const { chain, restored } = found;
  const withheld = chain.withheld
    ? [
        `The content of ${counted(chain.withheld, "event is", "events are")} not for this agent; the chain covers it all the same.`,
      ]
    : [];
  return [
    header(`${board} at ${url}`, counted(chain.checked, "event", "events")),
    ...(found.first_bad
      ? brokenText(found, found.first_bad, withheld)
      : [
          `${green("The log holds")}: nothing was changed, taken out or put in${restored ? " since the restore" : ""}.`,
          ...withheld,
          `Head #${chain.seq} ${chain.hash}`,
          ...(restored ? restoredText(typed, found, restored, isAccepted) : [comparedText(found)]),
        ]),
  ].join("\n");
}

const brokenText = (
  { chain }: Audit,
  { seq, reason }: NonNullable<Audit["first_bad"]>,
  withheld: readonly string[],
): string[] => [
  `${red("The log does not hold")} at #${seq}: ${reasons[reason]} (${reason}).`,
  ...withheld,
  `Up to #${chain.seq} it holds: ${chain.hash}`,
  "Ask whoever runs the server, and compare with others on the board what they verified.",
];

const comparedText = ({ pinned_head }: Audit): string =>
  pinned_head
    ? `It goes on from #${pinned_head.seq}, which this machine verified before.`
    : "This machine keeps the head and compares it the next time.";

const restoredText = (
  typed: Typed,
  found: Audit,
  restored: Restored,
  isAccepted: boolean,
): string[] => [
  `${yellow("Restored")}: ${whatHappened(found, restored)}`,
  ...(isAccepted
    ? [`Accepted. From now on this machine compares with #${found.chain.seq}.`]
    : [
        "Not accepted: the check fails until you accept the restore. Ask whoever runs the server whether they restored it.",
        `If they did: ${typed("audit verify --accept-restore")}`,
      ]),
];

/** The question whether a restore is accepted. */
export const restoreQuestion = (found: Audit, restored: Restored): string =>
  `${whatHappened(found, restored)} Accept it only if whoever runs the server says that they restored it. Do you accept the restore?`;

function whatHappened({ pinned_head }: Audit, restored: Restored): string {
  const { agreed_seq, lost_seq, backup, at } = restored;
  const newest = pinned_head!.seq;
  const lost =
    newest === lost_seq
      ? `#${newest}, which it verified too, is`
      : `#${lost_seq} to #${newest}, which it verified too, are`;
  return `The log says that the server was restored from the backup ${backup} of ${when(at)}. It log agrees with what this machine verified up to #${agreed_seq}; ${lost} gone.`;
}
