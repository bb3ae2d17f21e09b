import { useState } from "preact/hooks";
import { drop, finish } from "../../core/tasks/task-acts.ts";
import { taskListOf, type Task } from "../../core/tasks/tasks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { visible } from "../../parts/who.tsx";
import { sendOnModEnter, useFocus } from "./writing.tsx";

/** What is asked about before it is done: how a task ended, or why somebody gives it up. */
type ClosingKind = "done" | "cancel" | "give-up";

/** A task and what is asked about it. */
export interface AskedFor {
  readonly kind: ClosingKind;
  readonly task: Task;
}

const words = {
  done: { title: "done", label: "What came of it", yes: "Done", longest: 2000, isNeeded: true },
  cancel: {
    title: "cancelled",
    label: "Why it is not needed",
    yes: "Cancel the task",
    longest: 2000,
    isNeeded: true,
  },
  "give-up": {
    title: "given up",
    label: "Why, if others should know",
    yes: "Give up",
    longest: 500,
    isNeeded: false,
  },
} as const;

/** The dialog that asks for the note with which a task ends, or with which its owner gives it up. */
export function Closing({ kind, task, onClose }: AskedFor & { onClose: () => void }) {
  const field = useFocus<HTMLTextAreaElement>();
  const [note, setNote] = useState("");
  const { title, label, yes, longest, isNeeded } = words[kind];
  const send = () => {
    const text = note.trim();
    if (isNeeded && text === "") return;
    onClose();
    // The task may have changed while the note was written.
    const now = taskListOf(task.board).tasks.value.find(({ id }) => id === task.id) ?? task;
    if (kind === "give-up") void (now.owner && drop(now, now.owner, text));
    else void finish(now, text, kind === "cancel");
  };
  return (
    <Dialog
      title={`${task.ref} is ${title}`}
      onClose={onClose}
      foot={
        <>
          <button class="b" type="button" onClick={onClose}>
            Not yet
          </button>
          <button class={kind === "cancel" ? "b bad" : "b p"} type="submit" form="closing">
            {yes}
          </button>
        </>
      }
    >
      <form
        id="closing"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p class="dim">
          <bdi>{visible(task.title)}</bdi>
        </p>
        <div>
          <label class="lbl" for="closing-note">
            {label}
          </label>
          <textarea
            class="f"
            id="closing-note"
            rows={3}
            required={isNeeded}
            ref={field}
            maxLength={longest}
            value={note}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
            onKeyDown={sendOnModEnter}
          />
        </div>
      </form>
    </Dialog>
  );
}
