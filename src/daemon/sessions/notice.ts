import type { HeldSeat } from "./bundle.ts";
import { waitingOf } from "./bundle.ts";
import type { Message } from "../servers/reaching.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** A name as one of our own lines may hold it. */
const escaped = (text: string): string =>
  text
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ")
    .replace(/[&<>"]/g, (one) => entities[one]!);

/** The most messages that a notice names. */
const mostNamed = 20;

/**
 * Says which messages wait for the end of the turn, once each: numbers, senders and what they are to the agent, and never
 * a word of theirs. `announced` holds for each seat the last number that was announced. Null if there is nothing new.
 */
export function noticeOf(
  seats: readonly HeldSeat[],
  announced: Map<string, number>,
): string | null {
  const lines = seats.flatMap((seat) => {
    const { agent, mode } = seat.feed;
    if (mode === "off") return [];
    const key = `${agent.server} ${agent.member_id}`;
    const waiting = waitingOf(seat).sort((one, other) => one.seq - other.seq);
    const last = waiting.at(-1)?.seq ?? 0;
    if (last <= (announced.get(key) ?? 0)) return [];
    announced.set(key, last);
    return [lineFor(escaped(agent.board), waiting)];
  });
  return lines.length === 0 ? null : lines.join("\n");
}

function lineFor(board: string, waiting: readonly Message[]): string {
  const named = waiting
    .slice(0, mostNamed)
    .map((message) => `#${message.seq} from ${senderOf(message)}`);
  const more = waiting.length > mostNamed ? `, and ${waiting.length - mostNamed} more` : "";
  return `<service-notice board="${board}" waiting="${waiting.length}">${waiting.length} waiting on ${board}: ${named.join(", ")}${more}; read them with service inbox</service-notice>`;
}

function senderOf({ from, sender }: Message): string {
  const name = escaped(from.name);
  const whole = sender === "other_agent" && from.owner ? `${escaped(from.owner)}'s ${name}` : name;
  return `${whole} (${sender})`;
}
