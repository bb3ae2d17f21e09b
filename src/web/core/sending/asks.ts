import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { api } from "../connection/api.ts";
import { boardOf } from "../boards/board.ts";
import { changeDraft } from "./drafts.ts";
import { justStored, send, throwAway, unsent, type Unsent } from "./outbox.ts";
import { attention, me } from "../boards/overview.ts";
import { addressOf, go, place } from "../screen/router.ts";
import type { Message } from "../talk/talk.ts";
import { toast } from "../screen/toasts.ts";

/** The place of the draft of an answer in words. */
export const answerDraft = (askId: string): string => `ask:${askId}`;

/** The answer to an ask that the server has not stored yet, if there is one. */
export const waitingAnswer = (askId: string): Unsent | undefined =>
  unsent.value.findLast(({ body }) => body.reply_to === askId && body.answer !== undefined);

/** What this person has just answered, before the ask itself says so: the words of the answer. */
export const answeredHere = (askId: string): string | undefined => {
  const waiting = waitingAnswer(askId);
  if (waiting) return waiting.problem ? undefined : waiting.body.body;
  return justStored.value.get(askId);
};

/** The asks whose answer this person is about to change. */
export const changing = signal<ReadonlySet<string>>(new Set());

const isChanging = (askId: string, on: boolean) => {
  const others = [...changing.peek()].filter((id) => id !== askId);
  changing.value = new Set(on ? [...others, askId] : others);
};

/** Begins to change an answer: the options are there again. A later answer replaces the earlier one. */
export function changeAnswer({ board, id, seq }: Pick<Message, "board" | "id" | "seq">): void {
  const waiting = waitingAnswer(id);
  // What was never on its way is simply not sent.
  if (waiting && !waiting.triedIn) throwAway(waiting.key);
  isChanging(id, true);
  const card = () => document.querySelector<HTMLElement>(`[data-ask="${id}"]`);
  if (card()) return card()!.focus();
  // The dock may show it with the next frame.
  requestAnimationFrame(() => {
    if (card()) card()!.focus();
    else go(addressOf(board, "message", seq));
  });
}

const longestSaid = 60;

/** Answers an ask with one of its options, counted from 1, or in words. */
export function answer(message: Message, option: number | null, words: string): void {
  const { board, id, ask } = message;
  const text = option === null ? words : (ask?.options[option - 1] ?? words);
  send(board, { body: text, reply_to: id, answer: option === null ? {} : { option } });
  changeDraft(answerDraft(id), { text: "" });
  isChanging(id, false);
  const said = text.length > longestSaid ? `${text.slice(0, longestSaid)}…` : text;
  toast({
    text: `Answered: “${said}”`,
    action: { label: "Change", run: () => changeAnswer(message) },
  });
}

/** Takes an ask of this person back. That ends it for good. */
export function takeAskBack({ board, id }: Message): void {
  send(board, { body: "I take this back.", reply_to: id, answer: { withdrawn: true } });
}

const cards = signal<ReadonlyMap<Element, string>>(new Map());
/** The asks that are wholly on the screen, so that the dock need not show them. */
export const asksInView = computed(() => new Set(cards.value.values()));

/** Follows whether the card of an ask is wholly on the screen. Gives the function that ends that. */
export function watchAsk(card: Element, askId: string): () => void {
  const set = (isIn: boolean) => {
    if (cards.peek().has(card) === isIn) return;
    const others = [...cards.peek()].filter(([one]) => one !== card);
    cards.value = new Map(isIn ? [...others, [card, askId]] : others);
  };
  const observer = new IntersectionObserver(
    ([entry]) => set((entry?.intersectionRatio ?? 0) > 0.97),
    { threshold: [0, 0.5, 0.98, 1] },
  );
  observer.observe(card);
  return () => {
    observer.disconnect();
    set(false);
  };
}

type Asks = readonly Message[] | null;
const waiting = new Map<string, Signal<Asks>>();

/** The open asks to this person on a board that block somebody, oldest first. Null until they are known. */
export function blockingAsks(board: string): ReadonlySignal<Asks> {
  const known = waiting.get(board);
  if (known) return known;
  const made = signal<Asks>(null);
  waiting.set(board, made);
  const load = async () => {
    const query = { board, to_me: true, state: "open", limit: 50 } as const;
    const { asks } = await api.call("listAsks", { query });
    made.value = asks
      .filter(({ ask }) => ask?.going_with === null && ask.can_answer)
      .sort((one, other) => one.seq - other.seq);
  };
  const isHere = computed(() => place.value.name === "board" && place.value.board === board);
  // The list of what needs the person changes with each ask to them, and with each answer. Without an answer it is
  // read again with the next change.
  effect(() => {
    if (attention.value?.version && isHere.value) void load().catch(() => {});
  });
  boardOf(board).onNews(async (events) => {
    if (events.some(({ type }) => type === "board.archived" || type === "board.restored"))
      await load();
  });
  return made;
}

/**
 * Goes to the first ask to this person on the next board that has one. Gives whether there is such a board. With `startsHere`
 * the board that is shown comes first.
 */
export function goToNextAsk({ startsHere = false } = {}): boolean {
  const here = place.peek();
  const board = here.name === "board" ? here.board : null;
  const asks = (attention.peek()?.items ?? []).filter(
    (item) =>
      (item.kind === "ask" || item.kind === "approval_ask") &&
      item.board !== null &&
      (startsHere || item.board !== board) &&
      item.ref.seq !== undefined &&
      !(item.ref.message_id && answeredHere(item.ref.message_id)),
  );
  // In one order from board to board, so that each has its turn.
  const boards = [...new Set(asks.map((item) => item.board!))].sort();
  const isNext = (one: string) => board !== null && (startsHere ? one >= board : one > board);
  const name = boards.find(isNext) ?? boards[0];
  const seqOf = ({ ref }: (typeof asks)[number]) => ref.seq!;
  const [next] = asks
    .filter((item) => item.board === name)
    .sort((one, other) => seqOf(one) - seqOf(other));
  if (!next) return false;
  go(addressOf(next.board!, "message", seqOf(next)));
  return true;
}

/** Whether an ask is put to this person. */
export const isToMe = ({ ask }: Message): boolean =>
  ask?.to.name === me.value && ask.to.origin === undefined;
