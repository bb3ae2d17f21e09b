import { referencesOf, type Message } from "./message.ts";
import { clean, oneLine } from "../clean.ts";

// A text cannot end its own element or begin another.
const ownElement = /<(?=\s*\/?\s*service-(?:message|notice|digest))/gi;

/** Gives a command as the reader can type it, with what selects the agent. */
export type Typed = (command: string) => string;

/** A message as it is handed to an agent: the sender's text inside an element, this program's own lines after it. */
export function wrapped(message: Message, typed: Typed): string {
  const body = clean(message.body).replace(ownElement, "&lt;");
  const element = `<service-message${attributes(message)}>\n${body}\n</service-message>`;
  if (!message.expects_reply) return element;
  return `${element}\nA reply is asked for: ${typed(`say --reply ${message.seq} "TEXT"`)}`;
}

/** Several messages of one board as they are handed to an agent, or null when there are none. */
export function bundled(board: string, texts: readonly string[]): string | null {
  if (texts.length < 2) return texts[0] ?? null;
  const opening = `<service-messages board="${attribute(board)}" count="${texts.length}">`;
  return [opening, ...texts, "</service-messages>"].join("\n");
}

function attributes(message: Message): string {
  const { board, from, show_owner, sender, seq, urgent, expects_reply, reply_to_seq } = message;
  const agent = from.kind === "agent";
  const pairs: [string, string | number | null | undefined | false][] = [
    ["board", board],
    ["from", `@${from.name}`],
    ["owner", agent && show_owner && from.owner],
    ["role", agent && from.role],
    ["harness", agent && from.harness],
    ["sender", sender],
    ["seq", seq],
    ["urgent", urgent && "true"],
    ["expects-reply", expects_reply && "true"],
    ["reply-to", reply_to_seq],
    ["about", referencesOf(message).join(" ") || null],
  ];
  return pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => ` ${name}="${attribute(String(value))}"`)
    .join("");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const attribute = (text: string): string =>
  oneLine(text).replace(/[&<>"]/g, (character) => entities[character]!);
