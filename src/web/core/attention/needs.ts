import { computed, signal } from "@preact/signals";
import { api } from "../connection/api.ts";
import { send } from "../sending/outbox.ts";
import { attention, lookAgain, type AttentionItem } from "../boards/overview.ts";
import { sentenceOf } from "../connection/problems.ts";
import { toast } from "../screen/toasts.ts";

/** Items that were put aside in this tab, until the server's list leaves them out. */
const aside = signal<ReadonlySet<string>>(new Set());
/** What the person answered in this tab, by item, until the server's list leaves the item out. */
const given = signal<ReadonlyMap<string, string>>(new Map());
/** Items that are over, and that the person wants to answer in another way. */
const reopened = signal<readonly AttentionItem[]>([]);

/** Whether the person answered an ask in this tab. */
export const hasAnswered = signal(false);

const listed = computed(() => attention.value?.items ?? []);

/** What needs the person, without what they have just put aside. What they answer anew stands first. */
export const needs = computed<readonly AttentionItem[]>(() => {
  const again = reopened.value.filter(({ id }) => !listed.value.some((one) => one.id === id));
  return [...again, ...listed.value.filter(({ id }) => !aside.value.has(id))];
});

/** How many things need the person, with those that the list has not given yet. */
export const needCount = computed(() => {
  const counts = attention.value?.counts;
  if (!counts) return 0;
  const hidden = listed.value.filter(({ id }) => aside.value.has(id) || given.value.has(id));
  return Math.max(0, counts.now + counts.later - hidden.length);
});

/** How many things of a board need the person. */
export const needsOfBoard = computed(() => {
  const counts = new Map<string, number>();
  for (const { id, board } of needs.value)
    if (board && !given.value.has(id)) counts.set(board, (counts.get(board) ?? 0) + 1);
  return counts;
});

/** What the person answered to an item that the list still shows. */
export const givenTo = (item: AttentionItem): string | null => given.value.get(item.id) ?? null;

// What the list does not hold any more is over. Should it come back, it is shown again.
attention.subscribe((list) => {
  const ids = new Set(list?.items.map(({ id }) => id));
  aside.value = new Set([...aside.peek()].filter((id) => ids.has(id)));
  given.value = new Map([...given.peek()].filter(([id]) => ids.has(id)));
});

const hide = (id: string) => {
  aside.value = new Set([...aside.value, id]);
};
const show = (id: string) => {
  aside.value = new Set([...aside.value].filter((one) => one !== id));
};

/** Answers an item: an ask with an option counted from 1 or in words, anything else with a message. */
export function respond(item: AttentionItem, text: string, option: number | null = null): void {
  const { board, from, ref, actions } = item;
  if (!board || text.trim() === "") return;
  const isAsk = actions.some(({ name }) => name === "answerAsk");
  const agents = ref.agents?.map(({ name }) => `@${name}`);
  send(board, {
    body: text,
    ...(agents ? { to: agents } : ref.message_id && { reply_to: ref.message_id }),
    ...(isAsk && { answer: option === null ? {} : { option } }),
  });
  given.value = new Map([...given.value, [item.id, text]]);
  reopened.value = reopened.value.filter(({ id }) => id !== item.id);
  if (isAsk) hasAnswered.value = true;
  // A reply shows that the mention was read.
  if (item.kind === "mention") void sendDismissal(item);
  const who = from?.name ?? agents?.join(", ") ?? board;
  toast(
    isAsk
      ? {
          text: `Answered ${who}.`,
          action: { label: "Change", run: () => reopen(item) },
        }
      : { text: `Sent to ${who}.` },
  );
  lookAgain();
}

function reopen(item: AttentionItem): void {
  const rest = [...given.value].filter(([id]) => id !== item.id);
  given.value = new Map(rest);
  reopened.value = [...reopened.value.filter(({ id }) => id !== item.id), item];
}

/** Leaves the answer to an ask as it is. */
export function leaveAnswer(item: AttentionItem): void {
  reopened.value = reopened.value.filter(({ id }) => id !== item.id);
}

/** Whether the person is about to answer an item anew. */
export const isReopened = (item: AttentionItem): boolean =>
  reopened.value.some(({ id }) => id === item.id);

/** Does something about an item that then is over or hidden. It is shown again if that fails. */
async function put(item: AttentionItem, act: () => Promise<unknown>): Promise<boolean> {
  hide(item.id);
  try {
    await act();
    lookAgain();
    return true;
  } catch (error) {
    show(item.id);
    toast({ text: sentenceOf(error), isError: true });
    return false;
  }
}

/** Hides an item until a time. A toast takes it back. */
export async function snooze(item: AttentionItem, until: Date, words: string): Promise<void> {
  const params = { item: item.id };
  const body = { until: until.toISOString() };
  if (!(await put(item, () => api.call("snoozeAttention", { params, body })))) return;
  toast({
    text: `Put off until ${words}.`,
    action: {
      label: "Undo",
      run() {
        show(item.id);
        void api
          .call("endSnooze", { params })
          .then(lookAgain, (error: unknown) => toast({ text: sentenceOf(error), isError: true }));
      },
    },
  });
}

const dismissable: readonly string[] = [
  "agent_silent",
  "agent_waiting",
  "agent_late",
  "not_delivered",
  "mention",
  "agents_in_loop",
  "added_to_board",
  "machine_request",
];

/** Whether an item can be taken off the list without an act that answers it. */
export const isDismissable = ({ kind }: AttentionItem): boolean => dismissable.includes(kind);

const sendDismissal = (item: AttentionItem) =>
  put(item, () => api.call("dismissAttention", { params: { item: item.id } }));

/** The server cannot take a dismissal back, so it is sent once the toast that offers that is over. */
const undoMs = 8_000;
const waiting = new Map<string, { readonly item: AttentionItem; timer: number }>();

/** Takes an item off the list. A toast takes that back as long as it was not sent. */
export function dismiss(item: AttentionItem): void {
  hide(item.id);
  const end = () => {
    waiting.delete(item.id);
    void sendDismissal(item);
  };
  waiting.set(item.id, { item, timer: window.setTimeout(end, undoMs) });
  toast({
    text: "Taken off your list.",
    action: {
      label: "Undo",
      run() {
        clearTimeout(waiting.get(item.id)?.timer);
        waiting.delete(item.id);
        show(item.id);
      },
    },
  });
}

// A tab that is left may not come back.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "hidden") return;
  for (const { item, timer } of waiting.values()) {
    clearTimeout(timer);
    void sendDismissal(item);
  }
  waiting.clear();
});

/** Declines the pairing request of an item. */
export const decline = (item: AttentionItem): Promise<boolean> => {
  const pairing = item.ref.pairing_request_id ?? "";
  return put(item, () => api.call("declinePairingRequest", { params: { pairing } }));
};
