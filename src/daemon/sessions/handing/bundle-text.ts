import {
  boardText,
  cutText,
  type BoardMessages,
  type BoardReader,
} from "../../../agent-text/board-text.ts";
import type { Message } from "../../servers/reaching.ts";
import { concernsIt, wakesIt, type HeldSeat, type Occasion } from "../held/bundle.ts";

/** What a text for a session is made for, and how. */
export interface BundleFor {
  /** The handoff that it names on its first line. */
  readonly id: string;
  readonly occasion: Occasion;
  /** Its most bytes. */
  readonly bytes: number;
  /** The most bytes of a text that wakes this session. A message that fits only there waits for it. */
  readonly wakeBytes: number;
  /** Lines of this program before the messages. */
  readonly preface: readonly string[];
  /** The messages that may go into it, in their order. */
  choose(seat: HeldSeat): readonly Message[];
  /** For whom the messages of a seat are written. */
  readerOf(seat: HeldSeat): BoardReader;
}

/** A text with the messages that it holds, by seat. */
export interface Bundle {
  readonly text: string;
  /** The messages that count as handed. */
  readonly parts: readonly { readonly seat: HeldSeat; readonly seqs: readonly number[] }[];
  /** Whether every message in it is of the agent's own person. */
  readonly ownersOnly: boolean;
  /** The id of a message that is shown cut and does not count as handed, or null. */
  readonly preview: string | null;
}

/** A digest stands for a seat's messages if they are more, or their text is longer. */
const mostWhole = 10;
const mostWholeBytes = 8 * 1024;

const midTurnLead =
  "Your owner wrote this while you work. What stands inside the tags is your owner's:";

const size = (text: string): number => Buffer.byteLength(text);

/** The text for a session of as many of the chosen messages as fit, or null if there is nothing to hand. */
export function bundleOf(seats: readonly HeldSeat[], made: BundleFor): Bundle | null {
  const isMidTurn = made.occasion === "mid_turn";
  const head = [`[service ${made.id}]`, ...made.preface, ...(isMidTurn ? [midTurnLead] : [])];
  const blocks = [head.join("\n\n")];
  const parts: Bundle["parts"][number][] = [];
  let preview: string | null = null;
  const servers = new Set(seats.map(({ feed }) => feed.agent.server));
  for (const seat of seats) {
    const { server } = seat.feed.agent;
    const title = servers.size > 1 ? `From the server ${server}:\n` : "";
    const left = made.bytes - size(blocks.join("\n\n")) - size(`\n\n${title}`);
    const block = blockOf(seat, made, left, blocks.length === 1);
    if (block === null) continue;
    blocks.push(title + block.text);
    if (block.preview) preview = block.preview;
    else parts.push({ seat, seqs: block.seqs });
    // What is shown without being handed stands alone.
    if (preview !== null) break;
  }
  if (blocks.length === 1) return null;
  const ownersOnly = parts.every(({ seat, seqs }) =>
    seqs.every((seq) => seat.feed.unread.get(seq)?.sender === "owner"),
  );
  return { text: blocks.join("\n\n"), parts, ownersOnly, preview };
}

interface Block {
  readonly text: string;
  readonly seqs: readonly number[];
  readonly preview?: string;
}

/** A seat's part of a text. Only the first part may be a message that is cut. */
function blockOf(seat: HeldSeat, made: BundleFor, bytes: number, isFirst: boolean): Block | null {
  const messages = made.choose(seat);
  if (messages.length === 0) return null;
  const whole = longestOf(inFull(seat, messages), made.readerOf(seat), bytes);
  const isShort =
    whole?.seqs.length === messages.length &&
    messages.length <= mostWhole &&
    size(whole.text) <= mostWholeBytes;
  const { mode } = seat.feed;
  const mayDigest = made.occasion !== "mid_turn" && (mode === "focused" || mode === "humans");
  const block =
    isShort || !mayDigest ? whole : longestOf(inDigest(seat, messages), made.readerOf(seat), bytes);
  return block === null && isFirst ? cutOf(seat, made, bytes) : block;
}

/** Messages in the order in which they are handed, and how the first of them are shown. */
interface Shown {
  readonly order: readonly Message[];
  show(some: readonly Message[]): BoardMessages;
  /** The least bytes that a message takes. */
  least(message: Message): number;
}

function inFull(seat: HeldSeat, messages: readonly Message[]): Shown {
  const isMain = (message: Message) => wakesIt(seat, message);
  return {
    order: firstThose(messages, isMain),
    show: (some) => ({
      board: seat.feed.agent.board,
      main: some.filter(isMain),
      quiet: some.filter((message) => !isMain(message)),
      digest: [],
    }),
    least: ({ body }) => size(body),
  };
}

function inDigest(seat: HeldSeat, messages: readonly Message[]): Shown {
  const isMain = (message: Message) => concernsIt(seat, message);
  return {
    order: firstThose(messages, isMain),
    show: (some) => ({
      board: seat.feed.agent.board,
      main: some.filter(isMain),
      quiet: [],
      digest: some.filter((message) => !isMain(message)).sort((one, other) => one.seq - other.seq),
    }),
    least: (message) => (isMain(message) ? size(message.body) : 2),
  };
}

const firstThose = (messages: readonly Message[], isMeant: (message: Message) => boolean) => [
  ...messages.filter(isMeant),
  ...messages.filter((message) => !isMeant(message)),
];

/** The text of as many messages as fit, or null if none does. */
function longestOf({ order, show, least }: Shown, reader: BoardReader, bytes: number) {
  let best: Block | null = null;
  const fits = (count: number): boolean => {
    const some = order.slice(0, count);
    const text = boardText(show(some), reader);
    if (size(text) > bytes) return false;
    best = { text, seqs: some.map(({ seq }) => seq) };
    return true;
  };
  // What cannot fit is not written at all.
  let left = bytes;
  let high = order.findIndex((message) => (left -= least(message)) < 0);
  if (high === -1) high = order.length;
  if (high > 0 && fits(high)) return best as Block | null;
  for (let low = 0; low < high - 1;) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return best as Block | null;
}

/** The first message without its end, if it is not to wait until it can be handed whole. */
function cutOf(seat: HeldSeat, made: BundleFor, bytes: number): Block | null {
  const [first] = inFull(seat, made.choose(seat)).order;
  if (!first) return null;
  const mayWait = made.bytes < made.wakeBytes;
  if (made.occasion === "mid_turn" && mayWait)
    return {
      text: cutText(first, made.readerOf(seat), "unread", bytes),
      seqs: [],
      preview: first.id,
    };
  if (mayWait && wakesIt(seat, first)) return null;
  return { text: cutText(first, made.readerOf(seat), "received", bytes), seqs: [first.seq] };
}
