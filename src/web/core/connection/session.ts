import { computed, signal } from "@preact/signals";
import type { OutputOf } from "../../../contract/index.ts";
import { api, ApiError, onRefused, useCsrf } from "./api.ts";
import { untilWorthTrying } from "./worth-trying.ts";

export type Session = OutputOf<"getBrowserSession">;

/** Who is signed in here. Undefined until the server has said it, null if nobody is. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether the person is a guest of this server, who writes on their boards and keeps none. */
export const isGuest = computed(() => session.value?.person.server_role === "guest");

/**
 * Why the server takes the session no more, or null. What is shown stays then, with the drafts, and is not kept up: its time
 * is over, or its key was revoked or it was ended from another place.
 */
export const ended = signal<"over" | "revoked" | null>(null);

/** What the tabs of a browser say to one another about who is signed in. */
type Word = { readonly kind: "in"; readonly person: string } | { readonly kind: "out" };

const channel = new BroadcastChannel("service-session");
const say = (word: Word) => channel.postMessage(word);
/** Whose boards and messages this tab holds. */
let held: string | null = null;

function use(value: Session | null): void {
  const person = value?.person.id ?? null;
  // What one person has read must not be there for another one. Loading the page anew forgets all of it.
  if (held !== null && person !== null && person !== held) return location.replace("/");
  held = person ?? held;
  useCsrf(value?.csrf_token ?? null);
  session.value = value;
  ended.value = null;
}

channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
  if (data.kind === "out") use(null);
  else if (held !== null && data.person !== held) location.replace("/");
  // The session is a new one, also if it is of the same person.
  else void loadSession();
});

/** Why the server could not say who is signed in, while it is asked again. */
export const sessionProblem = signal<unknown>(null);

const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** Whether this browser may have a session: the server saw its cookie when it answered with the page. */
export const mayBeSignedIn =
  document.querySelector<HTMLMetaElement>("meta[name=session]")?.content !== "none";

/** Asks the server who is signed in, until it answers. A browser without a session's cookie need not ask. */
export async function loadFirstSession(): Promise<void> {
  if (mayBeSignedIn) await loadSession();
  else use(null);
}

/** Asks the server who is signed in, until it answers. */
export async function loadSession(): Promise<void> {
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      use(await api.call("getBrowserSession"));
      sessionProblem.value = null;
      return;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return use(null);
      sessionProblem.value = error;
    }
    await untilWorthTrying(pause);
  }
}

/** What a person signs in with: the code of a link, or an access key. */
type Secret = { readonly code: string } | { readonly key: string };

/**
 * Signs this browser in and leaves this tab as it is. Throws `ApiError` `browser_session_switch_unconfirmed` if another
 * person is signed in here.
 */
export async function startSession(secret: Secret, confirm_switch = false): Promise<Session> {
  const value = await api.call("startBrowserSession", { body: { ...secret, confirm_switch } });
  say({ kind: "in", person: value.person.id });
  return value;
}

/** Signs this browser in. Throws `ApiError` `browser_session_switch_unconfirmed` if another person is signed in here. */
export async function signIn(secret: Secret, confirm_switch = false): Promise<void> {
  use(await startSession(secret, confirm_switch));
}

/** Signs this browser out, in all of its tabs. */
export async function signOut(): Promise<void> {
  await api.call("signOut");
  say({ kind: "out" });
  use(null);
}

/** The server no longer takes the session. */
export function lostSession(): void {
  if (!session.value || ended.value) return;
  ended.value = Date.parse(session.value.expires_at) <= Date.now() ? "over" : "revoked";
}

onRefused(lostSession);
