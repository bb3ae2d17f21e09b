import { effect, signal } from "@preact/signals";
import { api, ApiError } from "../connection/api.ts";
import type { Draft } from "./drafts.ts";
import { connection } from "../connection/live.ts";
import {
  changeUnsent,
  forgetUnsent,
  keepUnsent,
  readUnsent,
  storedUnsent,
  unsent,
  type Body,
  type Unsent,
} from "./unsent.ts";
import { ended, loadSession, lostSession, session } from "../connection/session.ts";
import { talkOf } from "../talk/talk.ts";
import { toast } from "../screen/toasts.ts";

export { unsent, type Unsent } from "./unsent.ts";

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** An answer that takes longer is none: the message is sent again under its key. */
const answerWithinMs = 20_000;
/** The server knows a key again for 24 hours. */
const keyLivesMs = 23 * 3_600_000;

/**
 * Keeps a message and sends it as soon as it can be sent. `draft` is what it was written as, to write on in it, and `root` the
 * first message of the thread in which it was written.
 */
export function send(
  board: string,
  body: Body,
  { key = crypto.randomUUID(), ...more }: { draft?: Draft; root?: string; key?: string } = {},
): void {
  keepUnsent({ key, board, body, ...more });
  void sendAll(board);
}

/** Throws an unsent message away. */
export function throwAway(key: string): void {
  forgetUnsent(key);
}

/** Sends a message that was refused, or that waited for too long, under a new key. */
export function sendAgain(key: string): void {
  const one = unsent.value.find((other) => other.key === key);
  if (!one) return;
  forgetUnsent(key);
  const { board, body, draft, root } = one;
  send(board, body, { ...(draft && { draft }), ...(root && { root }) });
}

/** Those who wait for the connection, or for their time, before they send again. */
const pausing = new Set<() => void>();
const goOn = () => {
  for (const wake of pausing) wake();
};

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      pausing.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    pausing.add(wake);
  });

/** Sends what this browser has kept for a person, and goes on whenever the connection is back. */
export function keepSending(): void {
  const sendEverything = () => {
    for (const board of new Set(unsent.peek().map((one) => one.board))) void sendAll(board);
  };
  effect(() => {
    if (!session.value || ended.value) return;
    readUnsent();
    sendEverything();
  });
  connection.subscribe(({ state }) => {
    if (state !== "live") return;
    goOn();
    sendEverything();
  });
  addEventListener("online", goOn);
  window.addEventListener("storage", ({ key }) => {
    if (key !== null && !key.startsWith("service-outbox:")) return;
    readUnsent();
    // The tab that sends may close. Then the next one takes over.
    sendEverything();
  });
}

/** The boards whose turn this tab waits for or has, so that it asks for each but once. */
const askedFor = new Set<string>();

/** Sends the messages of a board in their order. One tab of the browser does it at a time. */
async function sendAll(board: string): Promise<void> {
  // A session that has ended sends nothing: what waits is for the next one.
  const person = ended.peek() ? undefined : session.peek()?.person.id;
  const turn = `service-outbox:${person}:${board}`;
  if (!person || askedFor.has(turn)) return;
  askedFor.add(turn);
  try {
    await navigator.locks.request(turn, async () => {
      for (let pauseMs = firstPauseMs; ;) {
        const next = storedUnsent().find((one) => one.board === board && !one.problem);
        if (!next || session.peek()?.person.id !== person) return;
        const outcome = await sendOne(next);
        if (outcome === "signed-out") return;
        if (outcome === "done") pauseMs = firstPauseMs;
        else {
          await pause(outcome.seconds === null ? pauseMs : outcome.seconds * 1_000);
          pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        }
      }
    });
  } finally {
    askedFor.delete(turn);
    // What was kept after the last look, and before this turn ended, gets a turn of its own.
    if (storedUnsent().some((one) => one.board === board && !one.problem)) void sendAll(board);
  }
}

/** The answers that the server has stored lately: their words, by the id of the ask. */
export const justStored = signal<ReadonlyMap<string, string>>(new Map());

function noteStored({ board, body }: Unsent): void {
  const { answer, reply_to: message } = body;
  if (!answer || !message) return;
  justStored.value = new Map([...justStored.peek(), [message, body.body]]);
  // What became of the ask follows with the news of the board too. This is sooner.
  void api
    .call("getMessage", { params: { message } })
    .then((read) => talkOf(board).take(read.message))
    .catch(() => {});
}

type Outcome = "done" | "signed-out" | { readonly seconds: number | null };

async function sendOne(one: Unsent): Promise<Outcome> {
  const sessionId = session.peek()!.id;
  if (one.triedIn && (one.triedIn !== sessionId || Date.now() - one.at > keyLivesMs)) {
    refuse(one, "It may have been sent before. Send it again if it is not there.");
    return "done";
  }
  if (Date.now() - one.at > keyLivesMs) {
    refuse(one, "It has waited for a day. Send it if it still holds.");
    return "done";
  }
  const waitMs = (one.notBefore ?? 0) - Date.now();
  if (waitMs > 0) return { seconds: waitMs / 1_000 };
  changeUnsent(one.key, { triedIn: sessionId });
  try {
    const message = await api.call(
      "postMessage",
      { params: { board: one.board }, body: one.body },
      { idempotencyKey: one.key, signal: AbortSignal.timeout(answerWithinMs) },
    );
    talkOf(one.board).take(message);
    noteStored(one);
    forgetUnsent(one.key);
    return "done";
  } catch (error) {
    return after(one, error);
  }
}

/** What is to be done after a message was not stored, as far as is known. */
async function after(one: Unsent, error: unknown): Promise<Outcome> {
  if (!(error instanceof ApiError) || error.status >= 500) return { seconds: null };
  const { status, code, retryAfter } = error;
  // This try was refused, so it stored nothing. An earlier one may have.
  forgetTry(one);
  // Without a session it waits for the next one.
  if (status === 401) {
    lostSession();
    return "signed-out";
  }
  if (code === "csrf_token_invalid") {
    // Another tab has signed in anew.
    await loadSession().catch(() => {});
    return { seconds: null };
  }
  if (status === 429) {
    if (retryAfter !== null) changeUnsent(one.key, { notBefore: Date.now() + retryAfter * 1_000 });
    return { seconds: retryAfter };
  }
  refuse(
    one,
    code === "idempotency_conflict"
      ? "It had been sent already, in the words that it had before."
      : `${error.message} ${error.hint}`,
  );
  return "done";
}

function forgetTry({ key, triedIn }: Unsent): void {
  changeUnsent(key, { triedIn });
}

function refuse({ key }: Unsent, problem: string): void {
  changeUnsent(key, { problem });
  toast({ text: `Not sent: ${problem}`, isError: true });
}
