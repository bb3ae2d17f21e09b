import { signal } from "@preact/signals";
import { api, ApiError } from "../connection/api.ts";
import { session, startSession } from "../connection/session.ts";

/** The invitation with which this page was opened. Undefined where none was, empty where the link lost its end. */
export const invitation = signal<string | undefined>(undefined);

/** Takes the invitation out of what stood after the `#` of the address. A mail program may have written a `#` once more. */
export function readInvitation(fragment: string): void {
  invitation.value = /abi_[A-Za-z0-9_-]+/.exec(fragment)?.[0] ?? "";
}

/** A key that is made here, so that it is known even when the answer to its first use is lost. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return `abh_${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** What the others call a new person. */
interface NewPerson {
  readonly handle: string;
  readonly display_name?: string;
}

/** A person who has just been made, with their first key. */
export interface Joined {
  readonly handle: string;
  readonly key: string;
}

// It lives in this page's memory alone, from the first attempt until the person has seen it.
let key: string | null = null;

/**
 * Makes the account of the invitation and signs this browser in with its first key. When an answer is lost,
 * another attempt finds the account that the first one made.
 */
export async function redeemInvitation(person: NewPerson): Promise<Joined> {
  const isAgain = key !== null;
  key ??= newKey();
  const made = key;
  const body = { ...person, invite: invitation.value!, key_name: "browser", client_token: made };
  const lost = await api.call("connect", { body }).then(() => null, mayBeMade(isAgain));
  try {
    const { person: joined } = await startSession({ key: made }, Boolean(session.value));
    return { handle: joined.handle, key: made };
  } catch (error) {
    // The key does not work: somebody else used the invitation.
    throw lost ?? error;
  }
}

/** A used invitation may be the work of an attempt whose answer was lost: then the key works. Throws every other error. */
const mayBeMade = (isAgain: boolean) => (error: unknown) => {
  if (isAgain && error instanceof ApiError && error.code === "invite_invalid") return error;
  throw error;
};
