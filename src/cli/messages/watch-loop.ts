import { mostListed } from "../../contract/limits.ts";
import type { Client } from "../../client/client.ts";
import { pagesAfter } from "../connection/pages.ts";
import { positionAfterRestore } from "./position-after-restore.ts";
import type { Message } from "./message-types.ts";
import { isPassing } from "../connection/waiting.ts";

const firstPauseMs = 250;
const longestPauseMs = 5_000;

/** The board to follow, and the position to start from. */
export interface Followed {
  readonly board: { readonly id: string; readonly name: string };
  readonly filter: { readonly from?: string; readonly role?: string };
  /** The position in the log up to which everything has been shown. */
  readonly position: number;
  /** The server's generation when the position was read. Undefined for a server of an older build. */
  readonly generation: string | undefined;
}

/** The receivers of what happens. */
export interface Follower {
  shown(message: Message): Promise<void>;
  /** Called with whether the connection is up, whenever that changes. */
  connected(there: boolean): void;
  /** Called when the server was restored from a backup, with the position after which it is read again. */
  restored(position: number): void;
}

/**
 * Follows a board's messages until the signal, each once and in order, across lost connections and restarts of the
 * server. Throws when the board can no longer be read.
 */
export async function follow(
  api: Client,
  { board, filter, ...start }: Followed,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  let { position, generation } = start;
  let pauseMs = firstPauseMs;
  let there = true;

  function connected(now: boolean): void {
    if (now !== there) follower.connected(now);
    there = now;
  }

  async function showUpTo(head: number): Promise<void> {
    const read = (after: number) =>
      api.call(
        "listMessages",
        { params: { board: board.name }, query: { ...filter, after, limit: mostListed } },
        { signal },
      );
    for await (const { messages } of pagesAfter(position, read))
      for (const message of messages) {
        await follower.shown(message);
        position = message.seq;
      }
    // We move past messages that the filter leaves out, so that they are not read again.
    position = Math.max(position, head);
  }

  async function meet(now: string): Promise<void> {
    if (generation !== undefined && now !== generation) {
      position = await positionAfterRestore(api, board.name, position, signal);
      follower.restored(position);
    }
    generation = now;
  }

  async function connect(): Promise<void> {
    for await (const { event, data } of api.stream({ signal })) {
      connected(true);
      pauseMs = firstPauseMs;
      if (event === "hello") await meet(data.generation);
      else if (!("board_id" in data) || data.board_id !== board.id) continue;
      if (event === "head" && data.seq > position) await showUpTo(data.seq);
      // The next read of the board gives the reason.
      if (event === "board_unavailable") await showUpTo(position);
    }
  }

  while (!signal.aborted) {
    await connect().catch((error: unknown) => {
      if (!signal.aborted && !isPassing(error)) throw error;
    });
    if (signal.aborted) return;
    connected(false);
    await pause(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
