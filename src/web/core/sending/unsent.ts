import { signal } from "@preact/signals";
import type { Given } from "../../../client/client.ts";
import type { Draft } from "./drafts.ts";
import { session } from "../connection/session.ts";

export type Body = NonNullable<Given<"postMessage">["body"]>;

/** A message that the server has not answered yet. */
export interface Unsent {
  /** The key under which it is sent: the server stores it once, however often it is sent. */
  readonly key: string;
  readonly board: string;
  /** Milliseconds since 1970 when the person sent it. */
  readonly at: number;
  readonly body: Body;
  /** The first message of the thread in which it was written. */
  readonly root?: string;
  /** What it was written as, to write on in it. */
  readonly draft?: Draft;
  /** The session in which it was sent without an answer. The server knows its key again in that session alone. */
  readonly triedIn?: string | undefined;
  /** The server asks to wait until then, in milliseconds since 1970. */
  readonly notBefore?: number;
  /** Why it is not sent by itself any more. It stays until the person decides. */
  readonly problem?: string;
}

/** The messages that wait to be sent, in the order in which they were written. */
export const unsent = signal<readonly Unsent[]>([]);

/* Each message is an entry of its own, so that tabs that write at the same time take nothing from one another. */
const start = () => `service-outbox:${session.peek()?.person.id ?? ""}:`;

/** The messages as they are kept in this browser now. */
export function storedUnsent(): readonly Unsent[] {
  const from = start();
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(from))
    .flatMap((name) => parsed(localStorage.getItem(name)))
    .sort((one, other) => one.at - other.at);
}

function parsed(text: string | null): readonly Unsent[] {
  try {
    const one = JSON.parse(text ?? "null") as Unsent | null;
    return one?.key && one.board && one.body ? [one] : [];
  } catch {
    return [];
  }
}

/** Reads what is kept, since another tab or another person has changed it. */
export function readUnsent(): void {
  unsent.value = storedUnsent();
}

let lastAt = 0;

/** Keeps a message that was just written. */
export function keepUnsent(one: Omit<Unsent, "at">): void {
  lastAt = Math.max(Date.now(), lastAt + 1);
  write({ ...one, at: lastAt });
}

/** Changes a message that is still kept. */
export function changeUnsent(key: string, change: Partial<Unsent>): void {
  const [one] = parsed(localStorage.getItem(start() + key));
  if (one) write({ ...one, ...change });
}

function write(one: Unsent): void {
  localStorage.setItem(start() + one.key, JSON.stringify(one));
  readUnsent();
}

/** Keeps a message no longer. */
export function forgetUnsent(key: string): void {
  localStorage.removeItem(start() + key);
  readUnsent();
}
