import { signal } from "@preact/signals";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../connection/api.ts";
import { addressOf, go } from "../screen/router.ts";
import { session, signIn } from "../connection/session.ts";

/** A one-time link that waits for its confirmation: whom it signs in, or why it does not work. */
interface OpenedLink {
  readonly code: string;
  readonly whom: OutputOf<"previewLoginCode"> | Error;
  /** The address to go on to. */
  readonly path: string;
}

/** The link with which this page was opened, until it is used or put aside. */
export const link = signal<OpenedLink | null>(null);

/** Whether a link is being read. */
export const isOpening = signal(false);

/** The address of the place that stands beside the code of a link. */
export function placeNamed(words: URLSearchParams): string {
  const board = words.get("board");
  if (!board) return "/";
  const [message, task, file] = ["message", "task", "file"].map((name) => words.get(name));
  if (message) return addressOf(board, "message", message);
  if (task) return addressOf(board, "tasks", task);
  return file ? addressOf(board, "files", file) : addressOf(board);
}

/**
 * Reads whom a link signs in, which does not use it up. Where that person is signed in already, the page goes on to the
 * place of the link at once.
 */
export async function openLink(code: string, path: string): Promise<void> {
  isOpening.value = true;
  const whom = await api
    .call("previewLoginCode", { body: { code } })
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  isOpening.value = false;
  const isHere = !(whom instanceof Error) && whom.person.id === session.value?.person.id;
  if (isHere) go(path, { replace: true });
  else link.value = { code, whom, path };
}

/** Signs in with the link. `isSwitch` confirms that another person is signed out here. */
export async function useLink(isSwitch: boolean): Promise<void> {
  if (!link.value) return;
  const { code, path } = link.value;
  await signIn({ code }, isSwitch);
  // What the page holds is the other person's. A fresh page has nothing of it.
  if (isSwitch) return location.replace(path);
  link.value = null;
  go(path, { replace: true });
}

/** Puts the link aside unused. */
export function leaveLink(): void {
  link.value = null;
}
