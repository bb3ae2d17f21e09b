import type { LogEvent } from "../../core/boards/board.ts";
import type { Stretch } from "../../core/talk/stretches.ts";
import type { Message } from "../../core/talk/talk.ts";
import { goesOn } from "../../parts/messages/message.tsx";

/** What every row of a timeline has. */
interface AnyRow {
  /** The same for as long as the row is the same. */
  readonly key: string;
  /** The first and the last place of the log that it shows. */
  readonly seq: number;
  readonly last: number;
  readonly at: string;
  /** Whether a day begins with it. */
  readonly isNewDay: boolean;
  /** Whether what is new begins with it. */
  readonly isNew: boolean;
}

/** A message that stands by itself. */
export interface MessageRow extends AnyRow {
  readonly kind: "message";
  readonly message: Message;
  readonly isMore: boolean;
}

/** Replies of one thread that follow one another. A long run is several rows, of which the first has its head. */
export interface RunRow extends AnyRow {
  readonly kind: "run";
  readonly root: string;
  readonly messages: readonly Message[];
  readonly isHead: boolean;
  readonly isFolded: boolean;
}

/** Events of one kind by one member that follow one another. */
export interface QuietRow extends AnyRow {
  readonly kind: "quiet";
  readonly events: readonly LogEvent[];
}

/** A part of the log that is not held. */
export interface GapRow extends AnyRow {
  readonly kind: "gap";
  readonly before: number;
}

export type Row = MessageRow | RunRow | QuietRow | GapRow;

/** Most replies in one row, so that rows stay about as high as the window. */
const mostInRun = 10;

/** What a timeline is made of. */
export interface RowSource {
  readonly messages: readonly Message[];
  readonly quiet: readonly LogEvent[];
  readonly stretches: readonly Stretch[];
  readonly folds: ReadonlySet<string>;
  /** What is new begins after this place of the log. Null without it. */
  readonly since: number | null;
  readonly dayOf: (at: string) => string;
}

type Item =
  | { readonly seq: number; readonly at: string; readonly message: Message }
  | { readonly seq: number; readonly at: string; readonly event: LogEvent };

/** Messages and events in one order. Both are in order already. */
function merged(messages: readonly Message[], quiet: readonly LogEvent[]): Item[] {
  const items: Item[] = [];
  let next = 0;
  for (const message of messages) {
    while (next < quiet.length && quiet[next]!.seq < message.seq)
      items.push(itemOf(quiet[next++]!));
    items.push({ seq: message.seq, at: message.at, message });
  }
  return [...items, ...quiet.slice(next).map(itemOf)];
}
const itemOf = (event: LogEvent): Item => ({ seq: event.seq, at: event.at, event });

/** The rows of a timeline, oldest first. Nothing changes its place: replies stand where they were said. */
export function rowsOf(source: RowSource): readonly Row[] {
  const { messages, quiet, stretches, since, dayOf } = source;
  const rows: Row[] = [];
  let day = "";
  let isNewShown = since === null;
  let stretch = 0;
  let isAfterGap = false;
  for (const item of merged(messages, quiet)) {
    while (stretch < stretches.length - 1 && item.seq > stretches[stretch]!.to) {
      rows.push(gapRow(stretches[stretch]!, stretches[stretch + 1]!, item.at));
      stretch++;
      isAfterGap = true;
    }
    const itsDay = dayOf(item.at);
    const isNew =
      !isNewShown && item.seq > since! && "message" in item && item.message.sender !== "self";
    isNewShown ||= isNew;
    const place = { seq: item.seq, last: item.seq, at: item.at };
    const begins = { ...place, isNewDay: itsDay !== day, isNew };
    const isApart = begins.isNewDay || isNew || isAfterGap;
    day = itsDay;
    isAfterGap = false;
    const before = rows.at(-1);
    const grown = isApart || !before ? null : grownBy(before, item);
    if (grown) rows[rows.length - 1] = grown;
    else rows.push(rowOf(item, begins, isApart ? undefined : before, source.folds));
  }
  return rows;
}

function gapRow({ to }: Stretch, { from }: Stretch, at: string): GapRow {
  const place = { seq: to + 1, last: from - 1, before: from };
  return { kind: "gap", key: `gap ${to}`, ...place, at, isNewDay: false, isNew: false };
}

type Beginning = Omit<AnyRow, "key">;

function rowOf(
  item: Item,
  begins: Beginning,
  before: Row | undefined,
  folds: ReadonlySet<string>,
): Row {
  if ("event" in item)
    return { kind: "quiet", key: `e${item.seq}`, ...begins, events: [item.event] };
  const { message } = item;
  const root = message.thread_root;
  if (root === null) {
    const previous = before?.kind === "message" ? before.message : undefined;
    const isMore = goesOn(message, previous);
    return { kind: "message", key: `m${item.seq}`, ...begins, message, isMore };
  }
  const isHead = !(before?.kind === "run" && before.root === root);
  const run = { root, messages: [message], isHead, isFolded: folds.has(root) };
  return { kind: "run", key: `r${item.seq}`, ...begins, ...run };
}

/** The row with one more message or event, if that belongs to it. */
function grownBy(row: Row, item: Item): Row | null {
  if (row.kind === "run" && "message" in item && item.message.thread_root === row.root) {
    if (!row.isFolded && row.messages.length >= mostInRun) return null;
    return { ...row, last: item.seq, messages: [...row.messages, item.message] };
  }
  if (row.kind === "quiet" && "event" in item && isStartOf(row.events, item.event))
    return { ...row, last: item.seq, events: [item.event] };
  if (row.kind === "quiet" && "event" in item && isSame(row.events[0]!, item.event))
    return { ...row, last: item.seq, events: [...row.events, item.event] };
  return null;
}

/** Whether a member starts the task that they have just opened. The line that they started it says both. */
const isStartOf = ([opened, more]: readonly LogEvent[], event: LogEvent): boolean =>
  more === undefined &&
  opened?.type === "task.created" &&
  event.type === "task.started" &&
  opened.data?.["ref"] === event.data?.["ref"] &&
  opened.actor.member_id === event.actor.member_id;

/** Whether two events are of one kind and of one member. Only such are told of in one line that loses nothing. */
const isSame = (one: LogEvent, other: LogEvent): boolean =>
  one.type === other.type && one.actor.member_id === other.actor.member_id && merging.has(one.type);
const merging = new Set([
  "member.joined",
  "person.added",
  "task.created",
  "task.started",
  "task.joined",
  "task.done",
  "file.approved",
  "file.removed",
  "agent.removed",
  "board.policy_changed",
]);

/** Rows that come into the document and leave it together. */
export interface Block {
  readonly key: string;
  readonly rows: readonly Row[];
}

const rowsInBlock = 15;

/**
 * The rows in blocks. A row that has begun a block goes on doing so, so that blocks stay the same while rows come before and
 * after them; `begins` is where that is remembered.
 */
export function blocksOf(rows: readonly Row[], begins: Set<string>): readonly Block[] {
  const blocks: { key: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (last && !begins.has(row.key) && last.rows.length < rowsInBlock) last.rows.push(row);
    else blocks.push({ key: row.key, rows: [row] });
  }
  begins.clear();
  for (const { key } of blocks) begins.add(key);
  return blocks;
}

const lineHeight = 21;
const lettersInLine = 90;

/** About how high a row is, before it has been in the document. */
export function heightOf(row: Row): number {
  const extra = (row.isNewDay ? 45 : 0) + (row.isNew ? 40 : 0);
  if (row.kind === "message") return extra + (row.isMore ? 10 : 42) + textHeight(row.message);
  if (row.kind !== "run") return extra + 24;
  if (row.isFolded) return extra + 34;
  return row.messages.reduce(
    (sum, one) => sum + 28 + textHeight(one),
    extra + (row.isHead ? 34 : 0),
  );
}

function textHeight({ body, ask, files, reactions }: Message): number {
  let lines = 0;
  for (const line of body.split("\n", 200)) lines += 1 + Math.floor(line.length / lettersInLine);
  const more = (reactions.length > 0 ? 29 : 0) + (files?.length ?? 0) * 42;
  return lines * lineHeight + more + (ask ? 130 + ask.options.length * 37 : 0);
}
