import type { OutputOf } from "../contract/index.ts";
import { clean, oneLine } from "./clean.ts";
import { withoutElements } from "./own-element.ts";

/** A message, as the server gives it to a reader. */
export type Message = OutputOf<"postMessage">;

/** What an element says besides its message. */
export interface ElementFacts {
  /** The agent's own name on the board, if its session has several seats. */
  readonly seat?: string | undefined;
  /** Whether the end of the text is left out. */
  readonly truncated?: boolean;
}

/** A message for an agent: what its sender wrote, inside an element that says who that was. */
export function messageElement(message: Message, facts: ElementFacts = {}): string {
  const body = withoutElements(clean(message.body));
  return `<service-message${attributes(message, facts)}>\n${body}\n</service-message>`;
}

/** What several messages of one board share. */
interface BlockFacts {
  readonly seat?: string | undefined;
  /** Whether they woke nobody. */
  readonly quiet?: boolean;
}

/** Texts of messages of one board in one element. */
export function messagesElement(
  board: string,
  texts: readonly string[],
  { seat, quiet }: BlockFacts = {},
): string {
  const opening = written([
    ["board", board],
    ["seat", seat],
    ["count", texts.length],
    ["quiet", quiet && "true"],
  ]);
  return [`<service-messages${opening}>`, ...texts, "</service-messages>"].join("\n");
}

/** Messages of one board for an agent, in one element if there are several; null without messages. */
export const bundled = (board: string, texts: readonly string[], seat?: string): string | null =>
  texts.length < 2 ? (texts[0] ?? null) : messagesElement(board, texts, { seat });

function attributes(message: Message, { seat, truncated }: ElementFacts): string {
  const { board, from, show_owner, sender, seq, urgent, quiet, expects_reply, reply_to_seq } =
    message;
  const { ask, answer, about = [] } = message;
  const agent = from.kind === "agent";
  return written([
    ["board", board],
    ["seat", seat],
    ["from", `@${from.name}`],
    ["origin", from.origin],
    ["owner", agent && show_owner && from.owner],
    ["role", agent && from.role],
    ["harness", agent && from.harness],
    ["sender", sender],
    ["seq", seq],
    ["urgent", urgent && "true"],
    ["quiet", quiet && "true"],
    ["expects-reply", expects_reply && "true"],
    ["reply-to", reply_to_seq],
    ["about", about.map(({ ref }) => oneLine(ref)).join(" ") || null],
    ["ask", ask && (ask.blocking ? "blocking" : "going-with")],
    ["answers", answer?.ask_seq],
    ["option", answer?.option],
    ["withdrawn", answer?.withdrawn && "true"],
    ["truncated", truncated && "true"],
  ]);
}

type Pair = readonly [string, string | number | null | undefined | false];

/** Attributes as they stand in an opening tag, without those that have no value. */
export const written = (pairs: readonly Pair[]): string =>
  pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => ` ${name}="${attribute(String(value))}"`)
    .join("");

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** A value for an attribute of an element. */
export const attribute = (text: string): string =>
  oneLine(text).replace(/[&<>"]/g, (character) => entities[character]!);
