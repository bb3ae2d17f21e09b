import { marksOf, type MarkRow } from "../../db/attention.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { Caller } from "../access/identify.ts";
import type { Topic } from "../handler.ts";
import { additions } from "./additions.ts";
import { asks } from "./asks.ts";
import { idOf, type Kind, type Open } from "./item.ts";
import { loopingAgents } from "./looping-agents.ts";
import { lateAgents } from "./late-agents.ts";
import { machineRequests } from "./machine-requests.ts";
import { mentions } from "./mentions.ts";
import { pairings } from "./pairings.ts";
import { silentAgents } from "./silent-agents.ts";
import { undelivered } from "./undelivered.ts";
import { viewOf } from "./view.ts";
import { waitingAgents } from "./waiting-agents.ts";
import { wantedReplies } from "./wanted-replies.ts";

const kinds: readonly Kind[] = [
  asks,
  wantedReplies,
  mentions,
  pairings,
  machineRequests,
  loopingAgents,
  silentAgents,
  waitingAgents,
  lateAgents,
  additions,
  undelivered,
];

/** What needs a person now. */
export interface Attention {
  /** Everything that is open, put aside or not. */
  readonly open: ReadonlyMap<string, Open>;
  /** What the person put aside, by item. */
  readonly marks: ReadonlyMap<string, MarkRow>;
  /** What the person's list shows, the most urgent and oldest first. */
  readonly listed: readonly Open[];
  readonly counts: { readonly now: number; readonly later: number };
  /** The end of the nearest snooze. */
  readonly nextWakeAt: string | null;
  /** The next moment at which any of this may change by time alone. */
  readonly changesAt: string | null;
  /** What may change it. */
  readonly topics: readonly Topic[];
}

/** Looks up what needs the person behind a credential. It costs what is open, and not what the person's boards hold. */
export function attentionOf(tx: ReadTx, caller: Caller): Attention {
  const view = viewOf(tx, caller, ["active"]);
  const found = kinds.map((kind) => kind(view));
  const open = found.flatMap((each) => each.open).sort(compare);
  const ids = new Set(open.map(idOf));
  const marks = new Map(marksOf(tx, caller.person.row).map((mark) => [mark.item, mark]));
  const listed = open.filter((item) => !isHidden(marks.get(idOf(item)), tx.now));
  const now = listed.filter(({ urgency }) => urgency === "now").length;
  const wakes = [...marks.values()]
    .filter((mark) => ids.has(mark.item) && isSnoozed(mark, tx.now))
    .map(({ until }) => until!);
  return {
    open: new Map(open.map((item) => [idOf(item), item])),
    marks,
    listed,
    counts: { now, later: listed.length - now },
    nextWakeAt: earliest(wakes),
    changesAt: earliest([...wakes, ...found.flatMap((each) => each.changesAt ?? [])]),
    topics: [`person:${caller.person.row}`, ...new Set(found.flatMap((each) => each.topics ?? []))],
  };
}

/** The ids of everything that is open for a person, and of what will be open again if an archived board is restored. */
export function openAnywhere(tx: ReadTx, caller: Caller): ReadonlySet<string> {
  const view = viewOf(tx, caller, ["active", "archived"]);
  return new Set(kinds.flatMap((kind) => kind(view).open.map(idOf)));
}

/** A text that changes with what a list shows. With `without`, items of that kind do not count. */
export const stateOf = ({ listed, nextWakeAt }: Attention, without?: Open["kind"]): string =>
  JSON.stringify([
    nextWakeAt,
    listed
      .filter(({ kind }) => kind !== without)
      .map((item) => [idOf(item), item.urgency, item.mark]),
  ]);

/** Whether an item is snoozed and will be shown again. */
export const isSnoozed = ({ dismissed, until }: MarkRow, now: string): boolean =>
  !dismissed && until !== null && until > now;

const isHidden = (mark: MarkRow | undefined, now: string): boolean =>
  mark !== undefined && (mark.dismissed === 1 || isSnoozed(mark, now));

const ranks = { now: 0, later: 1 };
const compare = (a: Open, b: Open): number =>
  ranks[a.urgency] - ranks[b.urgency] || inOrder(a.at, b.at) || inOrder(idOf(a), idOf(b));
const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const earliest = (moments: readonly string[]): string | null =>
  moments.reduce<string | null>((least, at) => (least === null || at < least ? at : least), null);
