import type { OwnAsks } from "./answered-asks.ts";
import { answerHint, askHints } from "./ask-text.ts";
import { attachedHints } from "./attached-text.ts";
import { referencesOf } from "./message-text.ts";
import type { Message } from "./message-types.ts";
import { withoutElements } from "./own-element.ts";
import { clean, oneLine } from "../terminal/clean.ts";
import type { Typed } from "../frame/suggest.ts";

/** A message for an agent: the sender's text inside an element, then the lines of this program. */
export function wrapped(message: Message, typed: Typed, own: OwnAsks = new Map()): string {
  const body = withoutElements(clean(message.body));
  const element = `<service-message${attributes(message)}>\n${body}\n</service-message>`;
  return [element, ...hints(message, typed, own)].join("\n");
}

function hints(message: Message, typed: Typed, own: OwnAsks): string[] {
  const { seq, ask, answer, expects_reply } = message;
  const answered = answer && own.get(answer.ask_id);
  return [
    ...attachedHints(message, typed),
    ...(answered === undefined ? [] : answerHint(message, answered)),
    ...(ask ? askHints(message, typed) : []),
    ...(expects_reply && !ask
      ? [`A reply is asked for: ${typed(`say --reply ${seq} "TEXT"`)}`]
      : []),
  ];
}

/** Messages of one board for an agent, in one element if there are several; null without messages. */
export function bundled(board: string, texts: readonly string[]): string | null {
  if (texts.length < 2) return texts[0] ?? null;
  const opening = `<service-messages board="${attribute(board)}" count="${texts.length}">`;
  return [opening, ...texts, "</service-messages>"].join("\n");
}

function attributes(message: Message): string {
  const { board, from, show_owner, sender, seq, urgent, quiet, expects_reply, reply_to_seq } =
    message;
  const { ask, answer } = message;
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
    ["quiet", quiet && "true"],
    ["expects-reply", expects_reply && "true"],
    ["reply-to", reply_to_seq],
    ["about", referencesOf(message).join(" ") || null],
    ["ask", ask && (ask.blocking ? "blocking" : "going-with")],
    ["answers", answer?.ask_seq],
    ["option", answer?.option],
    ["withdrawn", answer?.withdrawn && "true"],
  ];
  return pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => ` ${name}="${attribute(String(value))}"`)
    .join("");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const attribute = (text: string): string =>
  oneLine(text).replace(/[&<>"]/g, (character) => entities[character]!);
