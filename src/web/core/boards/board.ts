import { signal, untracked, type ReadonlySignal } from "@preact/signals";
import type { OutputOf } from "../../../contract/index.ts";
import { api, Unreachable } from "../connection/api.ts";
import { catchingUp, catchUp, connection, liveStream, onEvent } from "../connection/live.ts";
import { boardNamed } from "./overview.ts";
import { readPresent, shownOf } from "../connection/presence.ts";
import { loadSession } from "../connection/session.ts";

export type BoardInfo = OutputOf<"getBoard">;
export type Member = OutputOf<"listMembers">["members"][number];
export type LogEvent = OutputOf<"listEvents">["events"][number];

/** Whether somebody has another name from this event on. */
export const isRename = ({ type }: LogEvent): boolean => type === "person.renamed";

/** Whether what a place shows is there: not yet, or why not. */
export type Loaded = "loading" | "ready" | Error;

/** What this page holds of a board, whatever part of it is shown, and the news of it. */
export interface BoardView {
  readonly name: string;
  readonly state: ReadonlySignal<Loaded>;
  /** Null until it is loaded. */
  readonly info: ReadonlySignal<BoardInfo | null>;
  readonly members: ReadonlySignal<readonly Member[]>;
  /**
   * Calls the listener with the events of the board's log as they come, oldest first. Some that the listener's own reading
   * holds already may come again. Gives the function that ends that.
   */
  onNews(listener: NewsListener): () => void;
  /** Reads the board and its members again, after an act of the person. */
  reload(): Promise<void>;
}

type NewsListener = (events: readonly LogEvent[]) => void | Promise<void>;

const pageSize = 200;
/** So many events before the board's head are read first. They came while the first requests were under way. */
const overlap = 50;

/** A board that is held, and how it stops following the stream. */
type Held = BoardView & { end(): void };

const views = new Map<string, Held>();
/** How often everything was forgotten. What is shown of a board is made anew then. */
const forgotten = signal(0);

/** A board as this page holds it. It is loaded when it is first asked for, and follows the stream from then on. */
export function boardOf(name: string): BoardView {
  // Whoever draws a board is drawn again when it is forgotten.
  void forgotten.value;
  const known = views.get(name);
  if (known) return known;
  // What is made here may be asked for while something is drawn, and must not draw that again.
  const made = untracked(() => openBoard(name));
  views.set(name, made);
  return made;
}

/** A board as this page holds it, or null if it was not asked for. */
export const heldBoard = (name: string): BoardView | null => views.get(name) ?? null;

/** Forgets all boards, since what was held of them was read by somebody else, or without a seat. */
export function forgetBoards(): void {
  for (const view of views.values()) view.end();
  views.clear();
  forgotten.value++;
}

function openBoard(name: string): Held {
  const params = { board: name };
  const state = signal<Loaded>("loading");
  const info = signal<BoardInfo | null>(null);
  const members = signal<readonly Member[]>([]);
  const listeners = new Set<NewsListener>();
  // The head that was known before anything was asked is older than every answer.
  let seen = boardNamed(name)?.head_seq ?? null;
  let reading: Promise<void> = Promise.resolve();
  let membersOf: number | null = null;

  async function reload(): Promise<void> {
    try {
      const [board, list] = await Promise.all([
        api.call("getBoard", { params }),
        readPresent(async () => (await api.call("listMembers", { params })).members),
      ]);
      info.value = board;
      members.value = list.list;
      membersOf = list.stream;
      seen ??= Math.max(0, board.head_seq - overlap);
      state.value = "ready";
    } catch (error) {
      state.value = error instanceof Error ? error : new Error(String(error));
    }
  }

  async function readInfo(): Promise<void> {
    // What cannot be read stays as it was: the next news asks again.
    const board = await api.call("getBoard", { params }).catch(() => null);
    if (board) info.value = board;
  }

  async function readOn(): Promise<void> {
    for (;;) {
      const query = { after: seen ?? 0, limit: pageSize };
      const page = await api.call("listEvents", { params, query });
      // It may be the reader's own name, by which the page knows what is theirs.
      if (page.events.some(isRename)) void loadSession();
      if (page.events.some(({ type }) => /^(board|member|person|agent|policy|role)/.test(type)))
        void reload();
      // The tabs say how much there is of these.
      else if (page.events.some(({ type }) => /^(task|file)\./.test(type))) void readInfo();
      await Promise.all([...listeners].map((listener) => listener(page.events)));
      seen = Math.max(seen ?? 0, page.events.at(-1)?.seq ?? 0);
      if (page.next_after === null) return;
    }
  }

  /** Reads what came. What comes while this runs is read by the next run. */
  function follow(): void {
    // Without an answer it is read again with the next news, or when the connection is back.
    reading = reading.then(readOn).catch(() => {});
    if (catchingUp.value) catchUp(reading);
  }

  const endEvents = onEvent(({ event, data }) => {
    // Without access the same reading is refused, which says why.
    if (event === "board_unavailable" && data.board_id === info.value?.id) void reload();
    if (!("board" in data) || data.board !== name) return;
    if (event === "head" && seen !== null && data.seq > seen) follow();
    if (event === "presence")
      members.value = members.value.map((one) =>
        one.id === data.member_id ? { ...one, ...shownOf(data) } : one,
      );
  });
  let wasReady = false;
  const followWhenLive = () => {
    if (connection.value.state !== "live") return;
    if (state.peek() === "ready") {
      follow();
      if (membersOf !== liveStream()) void reload();
    }
    // Without an answer nothing was read yet.
    else if (state.peek() instanceof Unreachable) void reload();
  };
  const endConnection = connection.subscribe(followWhenLive);
  const endState = state.subscribe((now) => {
    if (now !== "ready" || wasReady) return;
    wasReady = true;
    followWhenLive();
  });
  void reload();

  return {
    name,
    state,
    info,
    members,
    reload,
    end() {
      for (const end of [endEvents, endConnection, endState]) end();
      listeners.clear();
    },
    onNews(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
