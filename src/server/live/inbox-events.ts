import type { EventDataOf, EventOf } from "../../contract/streams.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { readPositionOf, type MemberRow } from "../../db/members.ts";
import type { OnBoard } from "../access/visible-boards.ts";
import { unreadOf } from "../boards/views.ts";
import { midturnNow } from "../delivery/midturn.ts";
import { agentWork } from "../inbox/agent-work.ts";
import { inboxAfter, inboxTexts } from "../inbox/get-inbox.ts";
import { renderedWith } from "../rendered-list.ts";

type Data<E extends EventOf<"streamInbox">> = EventDataOf<"streamInbox", E>;

/** Most messages of one event. */
export const mostMessages = 50;
/** Most bytes of an event with more than one message. */
export const largestEvent = 256 * 1024;

/** What the reader of one inbox stream has been sent. */
export interface Progress {
  /** Every message up to this seq was sent, or comes before the stream. */
  sent: number;
  /** The last position and facts that were sent; null before the first event. */
  told: { position: number; board: string; mode: string; work: string } | null;
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
export function nextTurn(tx: ReadTx, { board, me }: OnBoard, progress: Progress): Turn {
  const position = readPositionOf(tx, me.row);
  const facts = { board: boardFacts(board), mode: modeOf(tx, me) };
  const texts = { board: JSON.stringify(facts.board), mode: JSON.stringify(facts.mode) };
  const { told } = progress;
  if (!told) {
    const work = agentWork(tx, board, me);
    progress.told = { position, ...texts, work: JSON.stringify(work) };
    const ready = encode("ready", {
      board: board.name,
      board_id: board.id,
      lifecycle: board.lifecycle,
      member_id: me.id,
      head_seq: board.head_seq,
      cursor: position,
      unread: unreadOf(tx, board, me, position),
      ...facts.mode,
      work,
    });
    return { text: ready, more: true };
  }
  let text = "";
  if (told.board !== texts.board) text += encode("board", facts.board);
  if (told.mode !== texts.mode) text += encode("mode", facts.mode);
  if (told.position !== position) text += encode("read", { position });
  Object.assign(told, { position, ...texts });
  const messages = messagesEvent(tx, board, me, position, progress);
  return { text: text + messages.text, more: messages.more };
}

const boardFacts = ({ lifecycle, name, title }: BoardRow): Data<"board"> => ({
  lifecycle,
  name,
  title,
});

const modeOf = (tx: ReadTx, me: MemberRow): Data<"mode"> => ({
  delivery_mode: me.delivery_mode,
  delivery_revision: me.delivery_revision,
  midturn_policy: midturnNow(tx, me).policy,
});

/** The event with the next messages; empty if there are none. What the agent has acknowledged is left out. */
function messagesEvent(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  position: number,
  progress: Progress,
): Turn {
  const { rows, more } = inboxAfter(tx, board, me, Math.max(position, progress.sent), mostMessages);
  if (rows.length === 0) return { text: "", more: false };
  const rest = {
    board: board.name,
    board_id: board.id,
    agent: me.name,
    member_id: me.id,
    cursor: position,
    ...changedWork(tx, board, me, progress.told!),
  };
  const texts = fitting(inboxTexts(tx, board, me, rows), largestEvent - sizeOf(rest));
  const last = seqOf(rows[texts.length - 1]!.place);
  progress.sent = last;
  const left = more || texts.length < rows.length;
  const { json } = renderedWith<Data<"messages">, "messages">(
    { ...rest, more: left },
    "messages",
    texts,
  );
  return { text: `event: messages\nid: ${last}\ndata: ${json}\n\n`, more: left };
}

/** The agent's work, if it has changed since it was last sent. */
function changedWork(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  told: NonNullable<Progress["told"]>,
): Pick<Data<"messages">, "work"> {
  const work = agentWork(tx, board, me);
  const text = JSON.stringify(work);
  if (told.work === text) return {};
  told.work = text;
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
