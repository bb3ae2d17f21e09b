import type { Message } from "./reaching.ts";

/** How much of a seat's unread messages is kept in memory: so many, and so many characters. */
export interface Bounds {
  readonly messages: number;
  readonly characters: number;
}

const most: Bounds = { messages: 5_000, characters: 8 * 1024 * 1024 };

/**
 * The unread messages of a seat, within bounds. Beyond them only those are kept that wake the agent, and at twice the
 * bounds none: a server may have very many, or send without end.
 */
export function createUnread(wakes: (message: Message) => boolean, bounds = most) {
  const messages = new Map<number, Message>();
  const state = { characters: 0, wholeUpTo: Infinity };
  function remove(seq: number): void {
    const known = messages.get(seq);
    if (known === undefined) return;
    messages.delete(seq);
    state.characters -= known.body.length;
  }
  const isOver = (times: number) =>
    messages.size >= bounds.messages * times || state.characters >= bounds.characters * times;
  return {
    messages: messages as ReadonlyMap<number, Message>,
    add(message: Message): void {
      if (isOver(1)) {
        // Nothing is missing up to the last message that came before.
        if (state.wholeUpTo === Infinity) state.wholeUpTo = Math.max(...messages.keys());
        if (isOver(2) || !wakes(message)) return;
      }
      remove(message.seq);
      messages.set(message.seq, message);
      state.characters += message.body.length;
    },
    dropUpTo(position: number): void {
      for (const seq of messages.keys()) if (seq <= position) remove(seq);
    },
    clear(): void {
      messages.clear();
      Object.assign(state, { characters: 0, wholeUpTo: Infinity });
    },
    /** Up to this number no message is missing. */
    wholeUpTo: () => state.wholeUpTo,
    /** Whether messages are missing and there is room for them. */
    hasRoom: () =>
      state.wholeUpTo !== Infinity &&
      messages.size < bounds.messages / 2 &&
      state.characters < bounds.characters / 2,
  };
}
