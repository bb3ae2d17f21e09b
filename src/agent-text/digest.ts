import { oneLine } from "./clean.ts";
import { counted } from "./counted.ts";
import type { Typed } from "./directions.ts";
import { written, type Message } from "./message-element.ts";

/** The lines of a digest may have so many bytes. Longer ones are grouped by sender. */
const mostLineBytes = 4 * 1024;
const mostCharacters = 80;
const mostLookedAt = 400;

/** Messages of one board, oldest first and each on one line, with the commands that show more. */
export function digestText(
  board: string,
  messages: readonly Message[],
  typed: Typed,
  seat?: string,
): string {
  const count = messages.length;
  const facts = written([
    ["board", board],
    ["seat", seat],
    ["count", count],
  ]);
  const first = messages[0]?.seq ?? 1;
  return [
    `${counted(count, "message", "messages")} on ${board} that did not wake you, each on one line:`,
    `<service-digest${facts}>`,
    ...digestLines(messages),
    "</service-digest>",
    `One of them whole: ${typed("message N")} · all from the first: ${typed(`read --after ${first - 1}`)} · threads: ${typed("read --threads")}`,
  ].join("\n");
}

/** A line for each message, or for each sender if these would be too long. */
export function digestLines(messages: readonly Message[]): string[] {
  const lines = messages.map(digestLine);
  const isLong = Buffer.byteLength(lines.join("\n")) > mostLineBytes;
  return isLong ? groupLines(messages) : lines;
}

/** A name, with the server of somebody who stayed on another one. */
const named = ({ name, origin }: Message["from"]): string =>
  origin === undefined ? `@${name}` : `@${name} of ${origin}`;

/** Made of the message alone, so that the same message always gives the same line. */
function digestLine(message: Message): string {
  const { seq, from, to, reply_to_seq, urgent, expects_reply, ask, answer, reactions } = message;
  const markers = [
    ...(reply_to_seq === null ? [] : [`reply to #${reply_to_seq}`]),
    ...(urgent ? ["urgent"] : []),
    ...(expects_reply ? ["asks for a reply"] : []),
    ...(ask ? ["ask"] : []),
    ...(answer ? [`answers #${answer.ask_seq}`] : []),
    ...reactions.map(({ emoji, count }) => `${emoji} ${count}`),
  ];
  const head = [`#${seq} ${named(from)} → ${to.join(", ")}`, ...markers].join(" · ");
  return escaped(`${head}: ${beginning(message.body)}`);
}

/** The first line of a text that is not empty, cut. Only so much of the text is looked at. */
function beginning(body: string): string {
  const lines = body
    .trimStart()
    .slice(0, mostLookedAt)
    .split(/[\r\n]+/);
  const first = lines.find((line) => oneLine(line).trim() !== "") ?? "";
  const characters = [...oneLine(first).trim()];
  return characters.length > mostCharacters
    ? `${characters.slice(0, mostCharacters - 1).join("")}…`
    : characters.join("");
}

function groupLines(messages: readonly Message[]): string[] {
  const groups = Map.groupBy(messages, ({ from }) => named(from));
  return [...groups].map(([name, own]) =>
    escaped(
      `${name}: ${counted(own.length, "message", "messages")}: ${own.map(({ seq }) => `#${seq}`).join(", ")}`,
    ),
  );
}

const escaped = (line: string): string => oneLine(line).replaceAll("<", "&lt;");
