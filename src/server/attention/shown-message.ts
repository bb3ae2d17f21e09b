import type { ReadTx } from "../../db/engine/database.ts";
import { postedAt } from "../../db/messages.ts";
import { boardRowOf, seqOf } from "../../db/log/log-place.ts";
import { boardAt } from "../../db/boards.ts";
import type { Shown } from "./item.ts";

/** Most code points of a member's text in an item. */
const longestText = 500;

/** A text cut to the length that an item shows. */
export function cut(text: string): string {
  // Most texts are short, and need no look at their code points.
  if (text.length <= longestText) return text;
  const points = [...text];
  return points.length <= longestText ? text : `${points.slice(0, longestText - 1).join("")}…`;
}

/** What an item shows of the message at a place: its text, and where it is. */
export function shownMessage(tx: ReadTx, place: number): Pick<Shown, "text" | "ref"> {
  const { data } = postedAt(tx, place);
  const board = boardAt(tx, boardRowOf(place))!;
  return {
    text: cut(data.body),
    ref: { board_id: board.id, message_id: data.message_id, seq: seqOf(place) },
  };
}

type Action = Shown["actions"][number];

/** The action that replies to the message at a place. Without `--me` an agent of the person's could be meant. */
export const replyTo = (board: string, place: number): Action => ({
  name: "reply",
  command: `service say --reply ${seqOf(place)} --board ${board} --me "TEXT"`,
});
/** The action that writes to members of a board. */
export const writeTo = (board: string, members: readonly { readonly name: string }[]): Action => ({
  name: "reply",
  command: `service say --to ${members.map(({ name }) => `@${name}`).join(",")} --board ${board} --me "TEXT"`,
});
/** The action that shows what the person has not read on a board. */
export const openUnread = (board: string): Action => ({
  name: "open",
  command: `service read --mark-read --board ${board}`,
});
/** The action that shows whom a message has reached. */
export const openReceipts = (board: string, seq: number): Action => ({
  name: "open",
  command: `service read --receipts ${seq} --board ${board}`,
});

/** Names of members in a sentence: `@a`, `@a and @b`, `@a, @b and 3 others`. */
export function namesOf(members: readonly { readonly name: string }[]): string {
  const names = members.map(({ name }) => `@${name}`);
  if (names.length <= 2) return names.join(" and ");
  const others = names.length - 2;
  return `${names.slice(0, 2).join(", ")} and ${others} ${others === 1 ? "other" : "others"}`;
}
