import { useId, useState } from "preact/hooks";
import { boardOf, type BoardView } from "../../core/boards/board.ts";
import { keepBoard } from "../../core/boards-acts.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { go } from "../../core/screen/router.ts";
import { toast } from "../../core/screen/toasts.ts";
import { counted, listed } from "../../core/screen/words.ts";
import { Confirm } from "../dialog.tsx";

/** Who is on a board and what is in it, as the server counts it. */
export function contentsOf({ info, members }: BoardView): string {
  const { message_count, tasks_open } = info.value ?? {};
  const active = members.value.filter(({ status }) => status === "active");
  const agents = active.filter(({ kind }) => kind === "agent").length;
  return listed([
    counted(active.length - agents, "person", "people"),
    counted(agents, "agent", "agents"),
    counted(message_count ?? 0, "message", "messages"),
    ...(tasks_open ? [counted(tasks_open, "open task", "open tasks")] : []),
  ]);
}

/** Asks for the name of a board before it is deleted for good. */
export function DeleteBoard({ name, onEnd }: { name: string; onEnd: () => void }) {
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const remove = async () => {
    setBusy(true);
    try {
      await keepBoard("deleteBoard", name);
      onEnd();
      go("/", { replace: true });
      toast({ text: `${name} is deleted.` });
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Confirm
      title={`Delete ${name} for good?`}
      yes="Delete for good"
      no="Keep it"
      isBad
      isBusy={isBusy || typed.trim() !== name}
      problem={problem}
      onNo={onEnd}
      onYes={() => void remove()}
    >
      <p>
        <b>Ends:</b> every way to read it, for everybody: {contentsOf(boardOf(name))}. Its seats and
        join codes end for good, and nothing brings it back.
      </p>
      <p>
        <b>Stays:</b> its name, which nobody else gets, and its record in the server’s storage,
        which nobody can read here.
      </p>
      <label class="lbl" for={id}>
        Type its name to go on
      </label>
      <input
        class="f mono"
        id={id}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </Confirm>
  );
}
