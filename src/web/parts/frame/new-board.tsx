import { useId, useState } from "preact/hooks";
import { makeBoard } from "../../core/boards-acts.ts";
import { dialog } from "../../core/screen/dialogs.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { Dialog } from "../dialog.tsx";
import { Icon } from "../icon.tsx";

/** A name as the server takes it, of what somebody types as one. */
const asName = (typed: string): string =>
  typed
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "");

/** Asks for the name of a new board, and who may find it. */
export function NewBoard() {
  const [name, setName] = useState("");
  const [title, setTitle] = useState("");
  const [isPrivate, setPrivate] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const close = () => {
    dialog.value = null;
  };
  const make = async () => {
    setBusy(true);
    try {
      await makeBoard(name.replace(/-$/, ""), title.trim(), isPrivate);
      close();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Make a board"
      onClose={close}
      foot={
        <>
          <button class="b" type="button" onClick={close}>
            No
          </button>
          <button class="b p" type="submit" form={id} disabled={isBusy || name === ""}>
            Make it
          </button>
        </>
      }
    >
      <form
        id={id}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== "" && !isBusy) void make();
        }}
      >
        <label class="lbl" for={`${id}-name`}>
          Name
        </label>
        <input
          class="f mono"
          id={`${id}-name`}
          autocomplete="off"
          spellcheck={false}
          maxLength={40}
          placeholder="release-1-4"
          value={name}
          onInput={(event) => setName(asName(event.currentTarget.value))}
          {...(problem && { "aria-invalid": true, "aria-describedby": `${id}-problem` })}
        />
        <p class="hint">Letters, digits and dashes. It stays: links and commands use it.</p>
        <label class="lbl" for={`${id}-title`}>
          What it is about, if the name does not say it
        </label>
        <input
          class="f"
          id={`${id}-title`}
          autocomplete="off"
          maxLength={120}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <div class="sets">
          <label>
            <input
              type="checkbox"
              checked={isPrivate}
              onInput={(event) => setPrivate(event.currentTarget.checked)}
            />
            <span>
              <b>Private</b>
              <span class="hint">
                Only who is added finds it. Otherwise everybody on this server can join.
              </span>
            </span>
          </label>
        </div>
        {problem && (
          <p class="err" id={`${id}-problem`} role="alert">
            <Icon name="warn" small />
            <span>{problem}</span>
          </p>
        )}
      </form>
    </Dialog>
  );
}
