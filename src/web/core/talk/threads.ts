import { signal, type Signal } from "@preact/signals";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../connection/api.ts";
import type { Loaded } from "../boards/board.ts";
import { talkOf, type Message } from "./talk.ts";

/** A thread of a board, held while it is shown. */
export interface Thread {
  /** Its first message and the replies, in order. */
  readonly messages: Signal<readonly Message[]>;
  readonly state: Signal<Loaded>;
  load(): Promise<void>;
  /** Ends the following of news. */
  end(): void;
}

const longPage = 200;

/** The thread that the message of a number belongs to. It follows the board's news until it is ended. */
export function openThreadAt(board: string, seq: number): Thread {
  const talk = talkOf(board);
  const messages = signal<readonly Message[]>([]);
  const state = signal<Loaded>("loading");
  let root: string | null = null;

  const belongs = ({ id, thread_root }: Message): boolean =>
    root !== null && (id === root || thread_root === root);
  function take(news: readonly Message[]): void {
    const own = news.filter(belongs);
    if (own.length === 0) return;
    const bySeq = new Map([...messages.value, ...own].map((one) => [one.seq, one]));
    messages.value = [...bySeq.values()].sort((one, other) => one.seq - other.seq);
  }
  const end = talk.share({
    holds: (id) => messages.value.some((one) => one.id === id),
    take,
  });

  /** The message of the number: it is often held already. */
  async function messageAt(): Promise<Message> {
    const held = talk.messages.value.find((one) => one.seq === seq);
    if (held) return held;
    const query = { after: seq - 1, before: seq + 1, limit: 1 };
    const page = await api.call("listMessages", { params: { board }, query });
    const [found] = page.messages;
    if (!found) throw new Error(`There is no message #${seq} on this board that you can see.`);
    return found;
  }

  async function load(): Promise<void> {
    try {
      const opened = await messageAt();
      root = opened.thread_root ?? opened.id;
      // What is held already is shown at once.
      take([opened, ...talk.messages.value]);
      for (let after: number | null = 0; after !== null;) {
        const page: OutputOf<"listReplies"> = await api.call("listReplies", {
          params: { message: root },
          query: { after, limit: longPage },
        });
        take([...(page.root ? [page.root] : []), ...page.replies]);
        after = page.next_after;
      }
      state.value = "ready";
    } catch (error) {
      state.value = error instanceof Error ? error : new Error(String(error));
    }
  }
  void load();
  return { messages, state, load, end };
}
