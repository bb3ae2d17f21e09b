import { signal, type ReadonlySignal } from "@preact/signals";
import { boardOf, type Loaded, type LogEvent } from "./board.ts";
import { connection } from "../connection/live.ts";

/** Something of a board that was read, and that is read again when the board's log says that it changed. */
export interface Followed<T> {
  /** Null until it is there. */
  readonly value: ReadonlySignal<T | null>;
  readonly state: ReadonlySignal<Loaded>;
  /** Shows a value before the server has it. What is read later takes its place. */
  take(value: T): void;
  /** Reads it again. What cannot be read stays as it was. */
  reload(): Promise<void>;
  /** Follows it no longer. */
  end(): void;
}

/** Reads something of a board and follows the news of it. */
export function followed<T>(
  board: string,
  isNews: (event: LogEvent) => boolean,
  read: () => Promise<T>,
): Followed<T> {
  const value = signal<T | null>(null);
  const state = signal<Loaded>("loading");
  let newest = 0;

  async function readIt(): Promise<void> {
    const turn = ++newest;
    const found = await read();
    // What was asked for earlier may come later.
    if (turn !== newest) return;
    value.value = found;
    state.value = "ready";
  }
  async function reload(): Promise<void> {
    try {
      await readIt();
    } catch (error) {
      if (value.value === null)
        state.value = error instanceof Error ? error : new Error(String(error));
    }
  }
  // News that could not be read come again.
  const endNews = boardOf(board).onNews(async (events) => {
    if (events.some(isNews)) await readIt();
  });
  // What could not be read is read again when a lost connection is back.
  let wasLost = false;
  const endConnection = connection.subscribe((now) => {
    if (now.state === "live" && wasLost && state.peek() instanceof Error) void reload();
    wasLost = now.state === "lost";
  });
  void reload();
  return {
    value,
    state,
    reload,
    end() {
      endNews();
      endConnection();
    },
    take(shown) {
      newest++;
      value.value = shown;
    },
  };
}
