import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import { taskFrom } from "../../core/talk/message-acts.ts";
import { addressOf, go } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { toast } from "../../core/screen/toasts.ts";
import { shortened } from "../../core/screen/words.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { named } from "../../parts/who.tsx";

/** The dialog that makes a task of a message, while one is chosen. */
export function TaskFrom({ board }: { board: string }) {
  const message = taskFrom.value;
  return message?.board === board ? <Opened key={message.id} message={message} /> : null;
}

const longestTitle = 120;

/** The first line of a message without what only Markdown means by it. */
function titleFor({ body }: Message): string {
  const line = body.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const plain = line.replace(/^[\s>#*\-+]+|[`*_]/g, "").trim();
  return shortened(plain, longestTitle);
}

function Opened({ message }: { message: Message }) {
  const { board, seq, from } = message;
  const [title, setTitle] = useState(() => titleFor(message));
  const [about, setAbout] = useState(`From #${seq} by ${named(from)}.`);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The dialog itself would begin at its button that closes it.
  useLayoutEffect(() => field.current?.focus(), []);
  const close = () => (taskFrom.value = null);
  const open = async () => {
    if (isBusy || title.trim() === "") return;
    setBusy(true);
    try {
      const task = await api.call("createTask", { params: { board }, body: { title, about } });
      close();
      toast({
        text: `${task.ref} is open`,
        action: { label: "Show it", run: () => go(addressOf(board, "tasks", task.ref)) },
      });
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Make a task of it"
      onClose={close}
      foot={
        <>
          <button class="b" type="button" onClick={close}>
            Cancel
          </button>
          <button class="b p" type="submit" form="task-from" disabled={isBusy}>
            Open the task
          </button>
        </>
      }
    >
      <form
        id="task-from"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <p class="dim">
          Of <bdi>{named(from)}</bdi>’s message #{seq}
        </p>
        <div>
          <label class="lbl" for="task-from-title">
            Title
          </label>
          <input
            class="f"
            id="task-from-title"
            ref={field}
            required
            maxLength={longestTitle}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </div>
        <div>
          <label class="lbl" for="task-from-about">
            About
          </label>
          <textarea
            class="f"
            id="task-from-about"
            rows={3}
            value={about}
            onInput={(event) => setAbout(event.currentTarget.value)}
          />
        </div>
        {problem && (
          <p class="err" role="alert">
            <Icon name="warn" small />
            <span>{problem}</span>
          </p>
        )}
      </form>
    </Dialog>
  );
}
