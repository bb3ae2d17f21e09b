import { signal } from "@preact/signals";
import { api } from "../connection/api.ts";
import { boardOf } from "../boards/board.ts";
import { addressOf, go, query } from "../screen/router.ts";
import { session } from "../connection/session.ts";
import { talkOf, type Message } from "./talk.ts";
import { copyLinkTo } from "../screen/copy.ts";
import { toast } from "../screen/toasts.ts";

type Reaction = Message["reactions"][number];
export type ReactionName = Reaction["name"];

/** The reactions there are, in the order of their keys, with their words for who does not see them. */
export const reactionsThereAre: readonly {
  readonly name: ReactionName;
  readonly emoji: string;
  readonly words: string;
}[] = [
  { name: "thumbsup", emoji: "👍", words: "thumbs up" },
  { name: "check", emoji: "✅", words: "check" },
  { name: "eyes", emoji: "👀", words: "eyes" },
  { name: "heart", emoji: "❤️", words: "heart" },
  { name: "tada", emoji: "🎉", words: "tada" },
  { name: "question", emoji: "❓", words: "question" },
];

/** Where on the page a message is shown: the same one may stand in the timeline and in its thread. */
export type Feed = "talk" | "thread";

/** What is open at a message: its menu, the choice of a reaction, or whom it has reached. */
export type Opened = "menu" | "react" | "reached";

/** What is open, and at which message. */
export const opened = signal<{
  readonly feed: Feed;
  readonly id: string;
  readonly what: Opened;
} | null>(null);

/** The message that the pointer or the focus is at. */
export const current = signal<{ readonly feed: Feed; readonly id: string } | null>(null);

/** The message that the composer of the thread answers. Without one it answers the thread. */
export const answered = signal<Message | null>(null);

/** Whether the composer of the thread takes the focus as soon as it is there. */
export const writesReply = signal(false);

/** The message that a task is made of. */
export const taskFrom = signal<Message | null>(null);

/** Whether messages of a board can be answered and reacted to. */
export const canAct = (board: string): boolean =>
  boardOf(board).info.value?.lifecycle !== "archived";

/** Whether the person may open tasks on a board. A guest of the server may not. */
export function canOpenTasks(board: string): boolean {
  const own = boardOf(board).members.value.find(
    ({ kind, name }) => kind === "human" && name === session.value?.person.handle,
  );
  return canAct(board) && own?.server_role !== "guest";
}

/** The number of the first message of a message's thread. */
export const rootSeqOf = ({ thread_root_seq, seq }: Message): number => thread_root_seq ?? seq;

/** Where the thread of a message is shown. The filters of the timeline stay. */
export const threadAddress = (message: Message): string =>
  withQuery(addressOf(message.board, "thread", rootSeqOf(message)));

/** An address with the filters of the timeline that is shown. */
export function withQuery(path: string): string {
  const words = query.value.toString();
  return words ? `${path}?${words}` : path;
}

/** Opens the thread of a message. */
export function openThread(message: Message): void {
  answered.value = null;
  go(threadAddress(message));
}

/** Opens the thread of a message with its composer, which answers that message. */
export function reply(message: Message): void {
  go(threadAddress(message));
  answered.value = message.thread_root === null ? null : message;
  writesReply.value = true;
}

/** Copies the address of a message. */
export const copyLink = ({ board, seq }: Message): Promise<boolean> =>
  copyLinkTo(addressOf(board, "message", seq), `the link of #${seq}`);

function reacted(message: Message, name: ReactionName, on: boolean): Message {
  const me = session.value?.person.handle ?? "";
  const others = message.reactions.filter((one) => one.name !== name);
  const known = message.reactions.find((one) => one.name === name);
  const by = (known?.by ?? []).filter((one) => one !== me);
  const { emoji } = reactionsThereAre.find((one) => one.name === name)!;
  const fresh = { name, emoji, by: on ? [...by, me] : by, mine: on };
  const count = fresh.by.length;
  if (count === 0) return { ...message, reactions: others };
  if (!known) return { ...message, reactions: [...others, { ...fresh, count }] };
  return {
    ...message,
    reactions: message.reactions.map((one) => (one.name === name ? { ...fresh, count } : one)),
  };
}

/** Sets or takes back a reaction of the person. It is shown at once, and taken back if the server refuses it. */
export async function react(message: Message, name: ReactionName, on: boolean): Promise<void> {
  const talk = talkOf(message.board);
  talk.take(reacted(message, name, on));
  const params = { message: message.id, reaction: name };
  try {
    talk.take(await api.call(on ? "addReaction" : "removeReaction", { params }));
  } catch (error) {
    talk.take(message);
    const why = error instanceof Error ? error.message : String(error);
    toast({ text: `Your reaction was not stored: ${why}`, isError: true });
  }
}
