import { useRef, useState } from "preact/hooks";
import { sentenceOf } from "../../core/connection/problems.ts";
import { openTask } from "../../core/tasks/task-acts.ts";
import type { Task } from "../../core/tasks/tasks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem, useFocus } from "./writing.tsx";

const longestTitle = 120;
const longestAbout = 4000;

/** The dialog that opens a task. Its title is enough; Enter sends it. */
export function NewTask({
  board,
  onClose,
  onOpened,
}: {
  board: string;
  onClose: () => void;
  onOpened: (task: Task) => void;
}) {
  const field = useFocus<HTMLInputElement>();
  const [title, setTitle] = useState("");
  const [about, setAbout] = useState("");
  const [isMine, setMine] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  // The server opens it once, however often the same words are sent.
  const sent = useRef({ words: "", key: "" });
  const open = async () => {
    const body = { title: title.trim(), start: isMine, ...(about.trim() && { about }) };
    if (body.title === "" || isBusy) return;
    const words = JSON.stringify(body);
    if (sent.current.words !== words) sent.current = { words, key: crypto.randomUUID() };
    setBusy(true);
    try {
      const task = await openTask(board, body, sent.current.key);
      onClose();
      onOpened(task);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="New task"
      onClose={onClose}
      foot={
        <>
          <button class="b" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="b p" type="submit" form="new-task" disabled={isBusy}>
            Open the task
          </button>
        </>
      }
    >
      <form
        id="new-task"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <div>
          <label class="lbl" for="new-task-title">
            Title
          </label>
          <input
            class="f"
            id="new-task-title"
            required
            ref={field}
            autocomplete="off"
            maxLength={longestTitle}
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </div>
        <div>
          <label class="lbl" for="new-task-about">
            About <span class="hint">what is to be done, if the title does not say it</span>
          </label>
          <textarea
            class="f"
            id="new-task-about"
            rows={4}
            maxLength={longestAbout}
            value={about}
            onInput={({ currentTarget }) => setAbout(currentTarget.value)}
          />
        </div>
        <div class="sets">
          <label>
            <input
              type="checkbox"
              checked={isMine}
              onChange={({ currentTarget }) => setMine(currentTarget.checked)}
            />
            <span>I start it now</span>
          </label>
        </div>
        <Problem says={problem} />
      </form>
    </Dialog>
  );
}
