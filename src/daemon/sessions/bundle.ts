import { wakes } from "../../contract/waking.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { DeliveryState } from "../../db/journal/deliveries.ts";
import type { SeatFeed } from "../servers/seat-feed.ts";
import { reachingOf, type Message } from "../servers/reaching.ts";

/** A seat of a session, as the daemon hands messages of it. */
export interface HeldSeat {
  readonly feed: SeatFeed;
  readonly generation: number;
  /** The states of messages that were handed before. */
  readonly states: ReadonlyMap<number, DeliveryState>;
}

/** Turns messages of one board into a text for an agent. `several` says that the session has several seats. */
type Render = (agent: DaemonAgent, messages: readonly Message[], several: boolean) => string;

/** The messages of a seat that wait to be handed, urgent ones first, else oldest first. */
export function waitingOf({ feed, states }: HeldSeat): Message[] {
  const waiting = [...feed.unread.values()].filter(({ seq }) => {
    const state = states.get(seq);
    return state === undefined || state === "pending";
  });
  return waiting.sort(
    (one, other) => Number(other.urgent) - Number(one.urgent) || one.seq - other.seq,
  );
}

const wakesIt = ({ feed }: HeldSeat, message: Message): boolean =>
  wakes(feed.mode, reachingOf(message, feed.recipient));

/** Why a text is handed: to wake a session, at the start of a turn, or while one runs. */
export type Occasion = "wake" | "turn_start" | "mid_turn";

/** The messages of a seat that go into a text, if the size lets them. */
export function chosenFor(occasion: Occasion, seat: HeldSeat): Message[] {
  const { mode } = seat.feed;
  if (mode === "off") return [];
  const waiting = waitingOf(seat);
  if (occasion === "mid_turn")
    return waiting.filter(({ sender, quiet }) => sender === "owner" && quiet !== true);
  if (occasion === "wake") return waiting.some((one) => wakesIt(seat, one)) ? waiting : [];
  if (mode === "focused") return waiting;
  // Whatever else waits in this mode wakes the session by itself.
  return mode === "all" ? waiting.filter((one) => !wakesIt(seat, one)) : [];
}

/** A text with the messages that it holds, by seat. */
export interface Bundle {
  readonly text: string;
  readonly parts: readonly { readonly seat: HeldSeat; readonly seqs: readonly number[] }[];
}

type Text = (messages: readonly Message[]) => string;
const size = (text: string): number => Buffer.byteLength(text);

/**
 * The text for a session of as many messages as fit into `bytes`, or null if there is nothing to hand. It begins with the
 * line that names the handoff. A message that does not fit even alone is cut, with the command that shows it whole.
 */
export function bundleOf(
  id: string,
  occasion: Occasion,
  seats: readonly HeldSeat[],
  render: Render,
  bytes: number,
): Bundle | null {
  const blocks = [`[service ${id}]`];
  const parts: Bundle["parts"][number][] = [];
  for (const seat of seats) {
    const left = bytes - size(blocks.join("\n\n")) - 2;
    const text = (some: readonly Message[]) => render(seat.feed.agent, some, seats.length > 1);
    const block = fitting(chosenFor(occasion, seat), text, left, parts.length === 0);
    if (block === null) continue;
    blocks.push(block.text);
    parts.push({ seat, seqs: block.seqs });
  }
  return parts.length === 0 ? null : { text: blocks.join("\n\n"), parts };
}

/** The first messages whose text fits. The whole limit is for one that is too long by itself. */
function fitting(
  messages: readonly Message[],
  render: Text,
  bytes: number,
  isFirst: boolean,
): { text: string; seqs: number[] } | null {
  let best: { text: string; seqs: number[] } | null = null;
  for (let count = 1; count <= messages.length; count++) {
    const some = messages.slice(0, count);
    const text = render(some);
    if (size(text) > bytes) break;
    best = { text, seqs: some.map(({ seq }) => seq) };
  }
  const [first] = messages;
  if (best !== null || first === undefined || !isFirst) return best;
  return { text: cut(first, render, bytes), seqs: [first.seq] };
}

function cut(message: Message, render: Text, bytes: number): string {
  const rest = `\nThis is its beginning. The whole message: service message ${message.seq}`;
  let body = message.body.slice(0, bytes);
  for (;;) {
    const text = render([{ ...message, body }]) + rest;
    if (size(text) <= bytes || body === "") return text;
    body = body.slice(0, Math.floor(body.length * 0.9));
  }
}
