import { signal } from "@preact/signals";
import type { StreamEvent } from "../../../client/client.ts";
import { api, ApiError } from "./api.ts";
import { lostSession } from "./session.ts";
import { stopWaiting, untilWorthTrying } from "./worth-trying.ts";

/** Whether what is shown follows the server: `lost` has a time since when it does not. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "lost"; readonly since: Date };

/** The state of the stream that all tabs of this browser share. */
export const connection = signal<Connection>({ state: "connecting" });

/** Since when what came meanwhile is being fetched, after the connection came back. Null while nothing is missing. */
export const catchingUp = signal<{ readonly since: Date } | null>(null);

let fetching = 0;

/** Lets the page say that it is not up to date until this is done. */
export function catchUp(fetched: Promise<unknown>): void {
  fetching++;
  void fetched
    .catch(() => {})
    .then(() => {
      fetching--;
      if (fetching === 0) catchingUp.value = null;
    });
}

let begun = 0;

/**
 * Which stream is live: the number of streams that began before it, or null while none is. What was read before the
 * present stream began may be older than what its events say, and some of that no event says again.
 */
export const liveStream = (): number | null => (connection.peek().state === "live" ? begun : null);

let before: Connection = connection.value;
connection.subscribe((value) => {
  if (before.state !== "live" && value.state === "live") begun++;
  if (before.state === "lost" && value.state === "live") {
    catchingUp.value = { since: before.since };
    // Whoever is told after this says what they fetch.
    catchUp(Promise.resolve());
  }
  if (value.state === "lost") catchingUp.value = null;
  before = value;
});

type Listener = (event: StreamEvent) => void;
const listeners = new Set<Listener>();

/** Calls the listener with each event of the stream from now on. Gives the function that ends that. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What the tabs of a browser say to one another. */
type Word =
  | { readonly kind: "event"; readonly event: StreamEvent }
  | { readonly kind: "connection"; readonly connection: Connection }
  /** A person does not want to wait for the next try. */
  | { readonly kind: "try-now" }
  /** A tab that has just come asks for what was last said. */
  | { readonly kind: "new-tab" };

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** How long a server may take to begin the stream. */
const openingMs = 60_000;

const channel = new BroadcastChannel("service-stream");
/** The last event of each kind and board, for tabs that come later. Only the tab that reads the stream has them. */
const last = new Map<string, StreamEvent>();
let reads = false;
let follows = false;

/** Whether this tab is the one that reads the stream for all tabs. */
export const readsStream = (): boolean => reads;

const say = (word: Word) => channel.postMessage(word);
const tell = (event: StreamEvent) => {
  for (const listener of listeners) listener(event);
};

function set(value: Connection): void {
  connection.value = value;
  say({ kind: "connection", connection: value });
}

channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
  if (data.kind === "event") tell(data.event);
  else if (data.kind === "connection") connection.value = data.connection;
  else if (data.kind === "try-now") stopWaiting();
  else if (reads) {
    for (const event of last.values()) say({ kind: "event", event });
    say({ kind: "connection", connection: connection.value });
  }
});

function keyOf({ event, data }: StreamEvent): string {
  const { board_id = "", member_id = "" } = data as { board_id?: string; member_id?: string };
  return `${event} ${board_id} ${member_id}`;
}

/**
 * Follows the person's stream as long as this tab lives. One tab of the browser reads it and hands it on to the others,
 * since a browser has few connections to a server; when that tab closes, the next one takes over.
 */
export function followStream(): void {
  if (follows) return;
  follows = true;
  say({ kind: "new-tab" });
  void navigator.locks.request("service-stream", async () => {
    reads = true;
    last.clear();
    for (let pause = firstPauseMs; ;) {
      const wasLive = await readStream();
      if (wasLive === "signed-out") break;
      pause = wasLive ? firstPauseMs : Math.min(pause * 2, longestPauseMs);
      lose();
      await untilWorthTrying(pause * (0.5 + Math.random() / 2));
    }
    // The next session is followed by a call of its own.
    lose();
    reads = false;
    follows = false;
  });
}

function lose(): void {
  if (connection.value.state !== "lost") set({ state: "lost", since: new Date() });
}

/** Tries to connect again at once, in whichever tab reads the stream. */
export function tryNow(): void {
  say({ kind: "try-now" });
  stopWaiting();
}

/** Reads one stream to its end. Gives whether it was live, or that nobody is signed in any more. */
async function readStream(): Promise<boolean | "signed-out"> {
  const leaving = new AbortController();
  const opening = setTimeout(() => leaving.abort(), openingMs);
  let wasLive = false;
  try {
    for await (const event of api.stream({ signal: leaving.signal })) {
      clearTimeout(opening);
      // A newer server may send what is no record at all. That says nothing to this page.
      if (typeof event.data !== "object" || event.data === null) continue;
      last.set(keyOf(event), event);
      tell(event);
      say({ kind: "event", event });
      if (wasLive) continue;
      wasLive = true;
      set({ state: "live" });
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      lostSession();
      return "signed-out";
    }
  } finally {
    clearTimeout(opening);
  }
  return wasLive;
}
