import { signal, type Signal } from "@preact/signals";
import { forgetAllBytes } from "./draft-files.ts";
import { session } from "../connection/session.ts";

/** An ask that is being written. */
export interface AskDraft {
  readonly options: readonly string[];
  /** The option that holds unless somebody says otherwise, counted from 0; null if the ask blocks until it is answered. */
  readonly goesWith: number | null;
  /** When it goes ahead: hours and minutes, as the clock shows them next. */
  readonly at: string;
}

/** A file of a draft. `version` is there once the board has it. */
export interface DraftFile {
  /** The id of its upload. */
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly file?: string;
  readonly version?: number;
}

/** What a person is writing at a place, with everything that they chose for it. */
export interface Draft {
  readonly text: string;
  /** The targets that were chosen. Without any, the server's default holds. */
  readonly to: readonly string[];
  readonly urgent: boolean;
  readonly expectsReply: boolean;
  readonly quiet: boolean;
  readonly ask: AskDraft | null;
  readonly files: readonly DraftFile[];
  /** The key of a message that was taken back after it may have been stored: sent unchanged, it is stored once. */
  readonly key?: string;
  /** The version that a text takes the place of, if it is one of a file. */
  readonly base?: number;
}

/** A draft in which nothing is written. */
export const emptyDraft: Draft = {
  text: "",
  to: [],
  urgent: false,
  expectsReply: false,
  quiet: false,
  ask: null,
  files: [],
};

const waitMs = 300;
const drafts = new Map<string, Signal<Draft>>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const startOf = (personId: string) => `service-draft:${personId}:`;
const nameOf = (place: string) => startOf(session.value?.person.id ?? "") + place;

/** Whether there is something in a draft that a person would miss. */
export const isWritten = ({ text, files, ask, to }: Draft): boolean =>
  text.trim() !== "" ||
  files.length > 0 ||
  to.length > 0 ||
  (ask?.options.some((option) => option.trim() !== "") ?? false);

function stored(name: string): Draft {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "{}");
    return { ...emptyDraft, ...(kept as Partial<Draft>) };
  } catch {
    return emptyDraft;
  }
}

/** What is being written at a place: a board, a thread by the id of its first message, or an ask. */
export function draftAt(place: string): Signal<Draft> {
  const name = nameOf(place);
  const known = drafts.get(name);
  if (known) return known;
  const made = signal(stored(name));
  drafts.set(name, made);
  return made;
}

/** Changes a draft, and keeps it a moment after the last change. */
export function changeDraft(place: string, change: Partial<Draft>): void {
  const name = nameOf(place);
  draftAt(place).value = { ...draftAt(place).peek(), ...change };
  clearTimeout(timers.get(name));
  timers.set(
    name,
    setTimeout(() => keep(name), waitMs),
  );
}

/** Empties a draft at once, since it was sent. */
export function emptyDraftAt(place: string): void {
  draftAt(place).value = emptyDraft;
  keep(nameOf(place));
}

function keep(name: string): void {
  clearTimeout(timers.get(name));
  timers.delete(name);
  const draft = drafts.get(name)?.peek() ?? emptyDraft;
  const isPlain = JSON.stringify(draft) === JSON.stringify(emptyDraft);
  try {
    if (isPlain) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // The browser keeps nothing more. The draft lives as long as the page does.
  }
}

const keepAll = () => {
  for (const name of timers.keys()) keep(name);
};

/** Whether the reader is writing in the field of a draft in this tab: then no other tab changes it. */
function isWrittenHere(name: string): boolean {
  if (timers.has(name)) return true;
  const field = document.hasFocus() && document.activeElement?.closest("[data-draft]");
  return field ? nameOf(field.getAttribute("data-draft")!) === name : false;
}

/** Lets the tabs of this browser share their drafts. The tab in which the reader writes wins. */
export function shareDrafts(): void {
  addEventListener("pagehide", keepAll);
  addEventListener("blur", keepAll);
  window.addEventListener("storage", ({ key }) => {
    if (key !== null && drafts.has(key) && !isWrittenHere(key))
      drafts.get(key)!.value = stored(key);
  });
}

/** Whether something is written at any place that was not sent. Signing out asks about it. */
export function hasDrafts(): boolean {
  keepAll();
  const start = nameOf("");
  const names = Object.keys(localStorage).filter((name) => name.startsWith(start));
  return names.some((name) => isWritten(stored(name)));
}

/** Forgets everything that a person was writing here, and what was not sent. */
export function forgetDrafts(personId: string): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  drafts.clear();
  const starts = [startOf(personId), `service-outbox:${personId}:`];
  for (const name of Object.keys(localStorage))
    if (starts.some((start) => name.startsWith(start))) localStorage.removeItem(name);
  void forgetAllBytes();
}
