import type { OutputOf } from "../contract/index.ts";
import { clean, oneLine } from "./clean.ts";
import { withoutElements } from "./own-element.ts";

type Message = OutputOf<"postMessage">;

/** A message for an agent: what its sender wrote, inside an element that says who that was. */
export function messageElement(message: Message): string {
  const body = withoutElements(clean(message.body));
  return `<service-message${attributes(message)}>\n${body}\n</service-message>`;
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
  const { ask, answer, about = [] } = message;
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
    ["about", about.map(({ ref }) => oneLine(ref)).join(" ") || null],
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
/** A value for an attribute of an element. */
export const attribute = (text: string): string =>
  oneLine(text).replace(/[&<>"]/g, (character) => entities[character]!);
