import { listedUnlessSaid, mostListed } from "../../../contract/limits.ts";
import { boardOf, type Person } from "../../acting/acting.ts";
import type { Cli } from "../../frame/cli.ts";
import type { Answer } from "../../frame/command.ts";
import { pagesAfter } from "../../connection/pages.ts";
import type { Typed } from "../../frame/suggest.ts";
import { header, messageBlocks } from "../message-text.ts";
import type { Message } from "../message-types.ts";
import { counted } from "../../terminal/table.ts";
import { integer } from "../../frame/values.ts";
import type { ReadFlags } from "../read-form.ts";

/** Shows a person their oldest unread messages on a board, and moves their read position past them. */
export async function markRead(
  cli: Cli,
  person: Person,
  flags: ReadFlags & { readonly board?: string | undefined },
  typed: Typed,
): Promise<Answer> {
  const limit = integer("--limit", flags.limit ?? `${listedUnlessSaid}`, 1, mostListed);
  const board = await boardOf(cli, person, flags);
  const { api } = person;
  const params = { board };
  const { read_up_to = 0 } = await api.call("getBoard", { params });
  const messages = await unreadAfter(person, board, read_up_to, limit);
  const last = messages.at(-1);
  if (!last)
    return {
      json: { board, messages, read_up_to, unread: 0 },
      text: `Nothing unread on ${board}. ${typed("watch")} shows what comes.`,
    };
  const position = await api.call("ackBoard", { params, body: { up_to: last.seq } });
  return {
    json: { board, messages, read_up_to: position.read_up_to, unread: position.unread },
    text: [
      header(board, `${messages.length} unread`),
      messageBlocks(messages, "person"),
      `Read up to #${position.read_up_to}.${position.unread ? ` ${counted(position.unread, "more is", "more are")} unread: ${typed("read --mark-read")}` : ""}`,
    ].join("\n\n"),
  };
}

/** The oldest messages of others after a position. */
async function unreadAfter(
  { api }: Person,
  board: string,
  position: number,
  limit: number,
): Promise<Message[]> {
  const unread: Message[] = [];
  const read = (after: number) =>
    api.call("listMessages", { params: { board }, query: { after, limit } });
  for await (const { messages } of pagesAfter(position, read)) {
    unread.push(...messages.filter(({ sender }) => sender !== "self"));
    if (unread.length >= limit) break;
  }
  return unread.slice(0, limit);
}
