import type { EventDataOf, EventOf } from "../../contract/streams.ts";
import { generationOf } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { readPositionOf, type MemberRow } from "../../db/members.ts";
import type { OnBoard } from "../access/visible-boards.ts";
import { unreadOf } from "../boards/views.ts";
import { midturnNow } from "../delivery/midturn.ts";
import { agentWork, isSameWork } from "../inbox/agent-work.ts";
import { inboxTexts } from "../inbox/get-inbox.ts";
import { nextMessages, type Page } from "../inbox/next-messages.ts";
import { renderedWith } from "../rendered-list.ts";

type Data<E extends EventOf<"streamInbox">> = EventDataOf<"streamInbox", E>;

/** Most messages of an event. */
const mostMessages = 50;

/** Most bytes of an event with more than one message. */
const largestEvent = 256 * 1024;

/** The facts that a reader was sent last. There are very many streams, and what they were told is mostly the same. */
type Told = Data<"board"> &
  Data<"mode"> & {
    position: number;
    work: Data<"ready">["work"];
    /** The version of the row cache when they were read: the facts of the board and the modes are the same while it is. */
    version: number;
  };

/** What the reader of one inbox stream has been sent. */
export interface Progress {
  /** Every message up to this seq was sent, is not for the agent, or comes before the stream. */
  sent: number;
  /** The last position and facts that were sent; null before the first event. */
  told: Told | null;
}

/** The next events of a stream, and whether more messages wait behind them. */
interface Turn {
  readonly text: string;
  readonly more: boolean;
}

/** The text of one event of an inbox. `data` may be JSON already. */
const encode = <E extends EventOf<"streamInbox">>(event: E, data: Data<E>): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The last event of a stream that ends with a refusal. */
export const endEvent = (code: string): string => encode("end", { code });

/** The position where a stream begins. One after the head counts as the read position, as does none. */
export function startOf(tx: ReadTx, { board, me }: OnBoard, after: number | undefined): number {
  return after === undefined || after > board.head_seq ? readPositionOf(tx, me.row) : after;
}

/** What a stream sends next: `ready` if nothing was sent yet, else what has changed and the next messages. */
export function nextTurn(tx: ReadTx, standing: OnBoard, progress: Progress): Turn {
  if (!progress.told) return { text: readyEvent(tx, standing, progress), more: true };
  const position = readPositionOf(tx, standing.me.row);
  const changes = changeEvents(tx, standing, position, progress.told);
  const { board, me } = standing;
  const page = nextMessages(tx, board, me, Math.max(position, progress.sent), mostMessages);
  if (page.rows.length > 0) {
    const { text, more } = messagesEvent(tx, standing, progress, page);
    return { text: changes + text, more };
  }
  progress.sent = board.head_seq;
  return { text: changes, more: false };
}

/** The first event of a stream. */
function readyEvent(tx: ReadTx, { board, me }: OnBoard, progress: Progress): string {
  const position = readPositionOf(tx, me.row);
  const mode = modeOf(tx, me);
  const work = agentWork(tx, board, me);
  const { version } = tx.rowCache;
  progress.told = { position, ...factsOf(board), ...mode, work, version };
  return encode("ready", {
    board: board.name,
    board_id: board.id,
    lifecycle: board.lifecycle,
    member_id: me.id,
    generation: generationOf(tx),
    head_seq: board.head_seq,
    cursor: position,
    unread: unreadOf(tx, board, me, position),
    ...mode,
    work,
  });
}

/** The events about what has changed since it was last sent. */
function changeEvents(tx: ReadTx, { board, me }: OnBoard, position: number, told: Told): string {
  const { version } = tx.rowCache;
  if (told.version === version && told.position === position) return "";
  const mode = modeOf(tx, me);
  const facts = factsOf(board);
  const events =
    (wasTold(told, facts) ? "" : encode("board", facts)) +
    (wasTold(told, mode) ? "" : encode("mode", mode)) +
    (told.position === position ? "" : encode("read", { position }));
  Object.assign(told, { position, ...facts, ...mode, version });
  return events;
}

const wasTold = (told: Told, facts: Partial<Told>): boolean =>
  (Object.keys(facts) as (keyof Told)[]).every((name) => told[name] === facts[name]);

const factsOf = ({ lifecycle, name, title }: BoardRow): Data<"board"> => ({
  lifecycle,
  name,
  title,
});

const modeOf = (tx: ReadTx, me: MemberRow): Data<"mode"> => ({
  delivery_mode: me.delivery_mode,
  delivery_revision: me.delivery_revision,
  midturn_policy: midturnNow(tx, me).policy,
});

/** The event with the messages of a page, as many as fit. */
function messagesEvent(tx: ReadTx, { board, me }: OnBoard, progress: Progress, page: Page): Turn {
  const told = progress.told!;
  const rest = {
    board: board.name,
    board_id: board.id,
    agent: me.name,
    member_id: me.id,
    cursor: told.position,
    ...changedWork(tx, board, me, told),
  };
  const all = inboxTexts(tx, board, me, page.rows, page.reactions);
  const messages = all.length === 1 ? all : fitting(all, largestEvent - sizeOf(rest));
  const more = page.more || messages.length < all.length;
  const last = seqOf(page.rows[messages.length - 1]!.place);
  // If nothing is left, everything up to the head was looked at, and the next search begins there.
  progress.sent = more ? last : board.head_seq;
  const { json } = renderedWith<Data<"messages">, "messages">(
    { ...rest, more },
    "messages",
    messages,
  );
  return { text: `event: messages\nid: ${last}\ndata: ${json}\n\n`, more };
}

/** The agent's work, if it has changed since it was last sent. */
function changedWork(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  told: Told,
): Pick<Data<"messages">, "work"> {
  const work = agentWork(tx, board, me);
  if (isSameWork(told.work, work)) return {};
  told.work = work;
  return { work };
}

/** Bytes of an event's frame: the names of its lines and lists. */
const frame = 64;
const sizeOf = (rest: object): number => Buffer.byteLength(JSON.stringify(rest)) + frame;

/** The first texts that take so many bytes together, and at least one. */
function fitting(texts: readonly string[], bytes: number): readonly string[] {
  let size = 0;
  const end = texts.findIndex((text, index) => {
    size += Buffer.byteLength(text) + 1;
    return index > 0 && size > bytes;
  });
  return end < 0 ? texts : texts.slice(0, end);
}
