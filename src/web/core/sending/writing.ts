import { effect, signal } from "@preact/signals";
import { forgetBytes, keepBytes, keptBytes } from "./draft-files.ts";
import {
  changeDraft,
  draftAt,
  emptyDraft,
  emptyDraftAt,
  isWritten,
  shareDrafts,
  type AskDraft,
  type Draft,
  type DraftFile,
} from "./drafts.ts";
import { keepSending, send, throwAway, type Unsent } from "./outbox.ts";
import type { Body } from "./unsent.ts";
import { toast } from "../screen/toasts.ts";
import { mostFilesAttached } from "../../../contract/limits.ts";
import { upload, type Upload } from "../files/uploads.ts";

/** Where something is written: on a board, or in a thread of it. */
export interface Place {
  readonly board: string;
  /** The first message of the thread. The thread has one draft, whichever of its messages is answered. */
  readonly root?: string | undefined;
  /** The message of the thread that is answered. */
  readonly replyTo?: string | undefined;
}

/** The name under which the draft of a place is kept. */
export const draftName = ({ board, root }: Place): string => root ?? board;

/** The greatest length of a message, in characters. */
export const longestMessage = 32_768;

/** The uploads of drafts that run in this tab, by the ids of their files. */
export const uploads = signal<ReadonlyMap<string, Upload>>(new Map());
/** The files whose bytes this browser has no longer. */
export const lostFiles = signal<ReadonlySet<string>>(new Set());

const without = <K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> =>
  new Map([...map].filter(([one]) => one !== key));

/** Attaches files to what is written at a place, and begins to upload them. */
export function attach(place: Place, files: readonly File[]): void {
  const name = draftName(place);
  const room = mostFilesAttached - draftAt(name).peek().files.length;
  if (files.length > room)
    toast({ text: `A message has at most ${mostFilesAttached} files.`, isError: true });
  for (const file of files.slice(0, Math.max(0, room))) {
    const one: DraftFile = { id: crypto.randomUUID(), name: file.name, size: file.size };
    changeDraft(name, { files: [...draftAt(name).peek().files, one] });
    // The bytes are there before another tab may look for them.
    void keepBytes(one.id, file).then(() => carry(place, one, file));
  }
}

const carried = new Set<string>();

/** Uploads what a draft brought along from before this page was loaded, unless another tab does. */
export function carryOn(place: Place): void {
  for (const file of draftAt(draftName(place)).peek().files)
    if (!file.file) void carry(place, file);
}

async function carry(place: Place, { id, name, size }: DraftFile, given?: Blob): Promise<void> {
  if (carried.has(id)) return;
  carried.add(id);
  const draft = draftAt(draftName(place));
  const isWanted = () => draft.peek().files.some((one) => one.id === id && !one.file);
  await navigator.locks.request(`service-upload:${id}`, async () => {
    const bytes = given ?? (isWanted() ? await keptBytes(id) : undefined);
    if (!isWanted()) return;
    if (!bytes || bytes.size !== size) {
      lostFiles.value = new Set([...lostFiles.value, id]);
      return;
    }
    const one = upload(place.board, bytes, { name }, id);
    uploads.value = new Map([...uploads.value, [id, one]]);
    await ended(one, draft);
    uploads.value = without(uploads.value, id);
  });
  carried.delete(id);
  if (!isWanted()) await forgetBytes(id);

  /** Waits until the upload is done, or its file was taken out of the draft. */
  function ended(one: Upload, of: typeof draft): Promise<void> {
    return new Promise((resolve) => {
      const stop = effect(() => {
        const step = one.step.value;
        const isGone = !of.value.files.some((file) => file.id === id);
        if (!isGone && step.at !== "done") return;
        if (isGone) one.stop();
        else if (step.at === "done") {
          const { id: file, name: as, latest } = step.file;
          const known = { file, name: as, version: latest.version };
          const files = of
            .peek()
            .files.map((each) => (each.id === id ? { ...each, ...known } : each));
          queueMicrotask(() => changeDraft(draftName(place), { files }));
        }
        queueMicrotask(() => stop());
        resolve();
      });
    });
  }
}

/** Takes a file out of what is written. */
export function detach(place: Place, id: string): void {
  const name = draftName(place);
  changeDraft(name, {
    files: draftAt(name)
      .peek()
      .files.filter((file) => file.id !== id),
  });
}

/** The moment at which an ask goes ahead: the next time that a clock shows these hours and minutes. */
function nextTime(clock: string, now = new Date()): Date {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  const then = new Date(now);
  then.setHours(hours, minutes, 0, 0);
  if (then <= now) then.setDate(then.getDate() + 1);
  return then;
}

const filled = ({ options }: AskDraft): readonly string[] =>
  options.map((option) => option.trim()).filter((option) => option !== "");

/** Why a draft cannot be sent as it is, in words for its writer. Null if it can, or if nothing is written yet. */
export function problemOf({ text, ask, to, files }: Draft): string | null {
  if (text.length > longestMessage)
    return `Too long by ${text.length - longestMessage} characters. Attach a long text as a file.`;
  if (ask && (to.length !== 1 || !to[0]!.startsWith("@"))) return "Choose whom you ask.";
  if (ask && text.trim() === "" && files.length === 0) return "Write the question.";
  if (ask && filled(ask).length === 1) return "Give at least two options, or none.";
  if (ask && ask.goesWith !== null && !ask.options[ask.goesWith]?.trim())
    return "Write the option that it goes on with.";
  if (ask && ask.goesWith !== null && ask.at === "") return "Say when it goes on.";
  return null;
}

const canBeSent = (draft: Draft): boolean =>
  problemOf(draft) === null && (draft.text.trim() !== "" || draft.files.length > 0);

/** Whether a draft waits for files that are not uploaded yet. */
export const waitsForFiles = ({ files }: Draft): boolean => files.some(({ file }) => !file);

/** Whether a file of a draft cannot be uploaded as it is: the person has to take it out, or say what it is to be. */
export const needsDecision = ({ files }: Draft): boolean =>
  files.some(({ id, file }) => {
    const at = uploads.value.get(id)?.step.value.at;
    return !file && (lostFiles.value.has(id) || at === "refused" || at === "exists");
  });

function bodyOf(draft: Draft, { replyTo }: Place): Body {
  const { text, to, urgent, expectsReply, quiet, ask, files } = draft;
  return {
    body: text.trim() === "" ? listOf(files) : text,
    ...(to.length > 0 && { to: [...to] }),
    ...(replyTo && { reply_to: replyTo }),
    ...(urgent && { urgent }),
    ...(expectsReply && { expects_reply: expectsReply }),
    ...(quiet && { quiet }),
    ...(ask && { ask: askOf(ask) }),
    ...(files.length > 0 && {
      files: files.map(({ file, version }) => ({ file: file!, version: version! })),
    }),
  };
}

const listOf = (files: readonly DraftFile[]): string => files.map(({ name }) => name).join(", ");

function askOf(ask: AskDraft): NonNullable<Body["ask"]> {
  const goingWith = ask.goesWith === null ? undefined : ask.options[ask.goesWith]?.trim();
  return {
    options: [...filled(ask)],
    ...(goingWith && { going_with: goingWith, going_at: nextTime(ask.at).toISOString() }),
  };
}

/** The places whose draft goes as soon as its files are there. */
export const armed = signal<ReadonlyMap<string, Place>>(new Map());

/** Sends what is written at a place: now, or once its files are there. Gives whether it was taken. */
export function submit(place: Place): boolean {
  const name = draftName(place);
  const draft = draftAt(name).peek();
  if (!canBeSent(draft)) return false;
  if (needsDecision(draft)) return false;
  if (waitsForFiles(draft)) {
    armed.value = new Map([...armed.peek(), [name, place]]);
    return false;
  }
  disarm(place);
  try {
    const { key, ...kept } = draft;
    const { board, root } = place;
    send(board, bodyOf(draft, place), { draft: kept, ...(root && { root }), ...(key && { key }) });
  } catch {
    toast({ text: "This browser has no room to keep the message. Copy it.", isError: true });
    return false;
  }
  emptyDraftAt(name);
  return true;
}

/** Lets a draft wait for the person again. */
export function disarm(place: Place): void {
  if (armed.peek().has(draftName(place))) armed.value = without(armed.peek(), draftName(place));
}

/** Keeps drafts and unsent messages: shares them with other tabs, and sends what is ready. */
export function keepWriting(): void {
  shareDrafts();
  keepSending();
  effect(() => {
    for (const place of armed.value.values())
      if (needsDecision(draftAt(draftName(place)).value)) queueMicrotask(() => disarm(place));
    const ready = [...armed.value.values()].filter(
      (place) => !waitsForFiles(draftAt(draftName(place)).value),
    );
    for (const place of ready) queueMicrotask(() => submit(place));
  });
}

/** Brings an unsent message back into the field in which it was written. */
export function takeBack({ key, board, root, body, draft = emptyDraft, triedIn }: Unsent): void {
  const name = draftName({ board, root });
  throwAway(key);
  const there = draftAt(name).peek();
  const isFree = !isWritten(there);
  const text = draft === emptyDraft ? body.body : draft.text;
  changeDraft(name, {
    ...(isFree ? draft : there),
    text: isFree ? text : `${text}\n\n${there.text}`,
    // It may be stored already. Under its key the same message is not stored twice, and another one is refused.
    ...(triedIn && isFree && { key }),
  });
}
