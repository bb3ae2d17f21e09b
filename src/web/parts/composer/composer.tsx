import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { connection } from "../../core/connection/live.ts";
import { boardOf } from "../../core/boards/board.ts";
import { changeDraft, draftAt, isWritten, type Draft } from "../../core/sending/drafts.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { unsent } from "../../core/sending/outbox.ts";
import { me } from "../../core/boards/overview.ts";
import { listed } from "../../core/sending/recipients.ts";
import {
  attach,
  carryOn,
  disarm,
  draftName,
  submit,
  takeBack,
} from "../../core/sending/writing.ts";
import { AskEditor } from "./composer-ask.tsx";
import { ComposerBar } from "./composer-bar.tsx";
import { Field } from "./composer-field.tsx";
import { afterPress } from "./after-press.ts";
import { FilesOfDraft } from "./composer-files.tsx";
import { Recipients } from "./composer-to.tsx";
import { filesOf, useDroppedFiles } from "./dropped-files.ts";
import { Written } from "../text/text.tsx";
import type { Writing } from "./writing.ts";

/** An ask as it begins. */
const newAsk = { options: ["", ""], goesWith: null, at: "" } as const;

/** What a switch changes in a draft. A quiet message wakes nobody, so it asks nobody either. */
function switched({ ask, urgent, expectsReply, quiet }: Draft, toggle: string): Partial<Draft> {
  if (toggle === "ask") return { ask: ask ? null : newAsk, quiet: false };
  if (toggle === "urgent") return { urgent: !urgent, quiet: false };
  if (toggle === "reply") return { expectsReply: !expectsReply, quiet: false };
  return quiet ? { quiet: false } : { quiet: true, ask: null, urgent: false, expectsReply: false };
}

/** The thread in which a reply is written: its first message, those whom a reply goes to, and the message that is answered. */
interface ThreadOfReply {
  readonly root: string;
  readonly people: readonly string[];
  readonly replyTo: string;
}

/** The draft that was written when its composer went, if it had the focus. */
let leftIn: string | null = null;

/** Lets the writer of a draft go on in the composer that comes in the place of another, as after the first message of a board. */
function useFocusOfBefore(
  name: string,
  form: RefObject<HTMLFormElement | null>,
  field: RefObject<HTMLTextAreaElement | null>,
): void {
  useLayoutEffect(() => {
    if (leftIn === name && document.activeElement === document.body) field.current?.focus();
    leftIn = null;
    return () => {
      leftIn = form.current?.contains(document.activeElement) ? name : null;
    };
  }, [name]);
}

/** Where a message is written: on a board, or as a reply in a thread. */
export function Composer({ board, thread }: { board: string; thread?: ThreadOfReply }) {
  const { root, replyTo, people } = thread ?? {};
  const place = useMemo(() => ({ board, root, replyTo }), [board, root, replyTo]);
  const name = draftName(place);
  const draft = draftAt(name).value;
  const view = boardOf(board);
  const members = view.members.value;
  const [isUsed, setUsed] = useState(false);
  const [isPreview, setPreview] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const chosen = useRef<HTMLInputElement>(null);
  const isGuest = members.find((one) => one.name === me.value)?.server_role === "guest";
  const isDropping = useDroppedFiles(form, (files) => !isGuest && attach(place, files));
  useFocusOfBefore(name, form, field);
  useEffect(() => setPreview(false), [name]);
  useEffect(() => carryOn(place), [name, draft.files.length]);
  useKeys({ c: () => field.current?.focus() });
  // What is archived is read only.
  if (view.info.value?.lifecycle === "archived") return null;

  const isOpen = isUsed || isWritten(draft);
  const change = (next: Partial<Draft>) => {
    disarm(place);
    changeDraft(name, next);
  };
  const writing: Writing = {
    place,
    draft,
    people,
    isPreview,
    change,
    toggles: [
      ...(thread ? [] : (["ask"] as const)),
      ...(["urgent", "reply", "quiet", "to"] as const),
      ...(isGuest ? [] : (["attach"] as const)),
      "preview",
    ],
    toggle(toggle) {
      if (toggle === "attach") chosen.current?.click();
      else if (toggle === "preview") setPreview(!isPreview);
      else if (toggle === "to")
        form.current?.querySelector<HTMLButtonElement>("[aria-haspopup=menu]")?.click();
      else change(switched(draft, toggle));
      setUsed(true);
    },
    submit() {
      if (!submit(place)) return;
      setPreview(false);
      field.current?.focus();
    },
  };
  const takeLastBack = () => {
    const last = unsent.value.findLast(
      (one) => one.board === board && one.root === root && !one.body.answer,
    );
    if (last) takeBack(last);
    return last !== undefined;
  };
  return (
    <form
      ref={form}
      class="compose"
      aria-label={thread ? "Reply in the thread" : "Write a message"}
      data-draft={name}
      data-f6
      onSubmit={(event) => {
        event.preventDefault();
        writing.submit();
      }}
      onFocusIn={() => setUsed(true)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
        // What is being pressed stays where it is until it is let go.
        afterPress(() => setUsed(currentTarget.contains(document.activeElement)));
      }}
      onPaste={(event) => {
        const files = isGuest ? [] : filesOf(event.clipboardData);
        if (files.length === 0) return;
        event.preventDefault();
        attach(place, files);
      }}
    >
      <div class={isDropping ? "compose-in drop" : "compose-in"}>
        <div class={isOpen ? "compose-all" : "compose-1"}>
          {isOpen && <Recipients writing={writing} key="to" />}
          {isPreview && (
            <div class="preview" key="preview" tabIndex={0} role="group" aria-label="Preview">
              {draft.text.trim() === "" ? (
                <p class="muted">Nothing is written yet.</p>
              ) : (
                <Written text={draft.text} />
              )}
            </div>
          )}
          <Field
            key="field"
            writing={writing}
            field={field}
            label={thread ? "Reply in the thread" : "Message"}
            placeholder={placeholderOf(board, people)}
            onUp={takeLastBack}
          />
          {draft.ask && <AskEditor key="ask" writing={writing} ask={draft.ask} />}
          <FilesOfDraft key="files" writing={writing} />
          <ComposerBar key="bar" writing={writing} isOpen={isOpen} />
        </div>
        <input
          ref={chosen}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={({ currentTarget }) => {
            attach(place, [...(currentTarget.files ?? [])]);
            currentTarget.value = "";
            field.current?.focus();
          }}
        />
      </div>
    </form>
  );
}

/** What the empty field says. Without a connection it says first that what is written waits. */
function placeholderOf(board: string, people: readonly string[] | undefined): string {
  if (connection.value.state === "lost") return "Write; it is sent later";
  if (people === undefined) return `Write to ${board}`;
  if (people.length === 0) return "Reply in the thread";
  return `Reply to ${listed(people.length > 4 ? [...people.slice(0, 3), `${people.length - 3} others`] : people)}`;
}
