import { useEffect, useId, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import type { Member } from "../../core/boards/board.ts";
import { toast } from "../../core/screen/toasts.ts";
import { listed } from "../../core/screen/words.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { visible } from "../../parts/who.tsx";
import { Problem, useAct } from "./act.tsx";
import { heldBy, openTasksOf, type HeldTask } from "./held.ts";
import type { Standing } from "./standing.ts";
import { modes } from "./words.ts";

/** A dialog about one agent. */
interface AboutAgent {
  readonly agent: Member;
  readonly standing: Standing;
  onClose(): void;
}

type Mode = keyof typeof modes;

/** Chooses which messages wake one of the reader's own agents. */
export function DeliveryDialog({ agent, standing, onClose }: AboutAgent) {
  const { board, view } = standing;
  const [mode, setMode] = useState(agent.delivery_mode as Mode);
  const { isBusy, problem, run } = useAct();
  const name = useId();
  const save = async () => {
    const params = { board, member: agent.name };
    const isDone = await run(async () => {
      await api.call("setDeliveryMode", { params, body: { mode } });
      await view.reload();
    });
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={`What wakes ${agent.name}`}
      onClose={onClose}
      foot={
        <>
          <button class="b" type="button" onClick={onClose}>
            Leave it
          </button>
          <button class="b p" type="button" disabled={isBusy} onClick={() => void save()}>
            Set it
          </button>
        </>
      }
    >
      <p class="dim">A machine of yours that delivers to it applies this at once.</p>
      <fieldset class="sets">
        <legend class="vh">Which messages wake {agent.name}</legend>
        {Object.entries(modes).map(([each, { short, long }]) => (
          <label key={each}>
            <input
              type="radio"
              name={name}
              checked={mode === each}
              onChange={() => setMode(each as Mode)}
            />{" "}
            <span>
              <b>It {short}</b>
              <span class="hint">{long}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Problem text={problem} />
    </Dialog>
  );
}

const minute = 60_000;
/** For how long an agent can be paused here. */
const pauses: readonly (readonly [string, (now: Date) => number])[] = [
  ["15 minutes", (now) => now.getTime() + 15 * minute],
  ["1 hour", (now) => now.getTime() + 60 * minute],
  ["4 hours", (now) => now.getTime() + 240 * minute],
  ["until tomorrow 09:00", (now) => new Date(now).setHours(24 + 9, 0, 0, 0)],
];

/** Sets the line of one of the reader's own agents: what it does, or until when it pauses. */
export function LineDialog({
  agent,
  standing,
  onClose,
  kind,
}: AboutAgent & { kind: "working" | "paused" }) {
  const { board, view } = standing;
  const [text, setText] = useState(kind === agent.line?.kind ? agent.line.text : "");
  const [pause, setPause] = useState(1);
  const { isBusy, problem, run } = useAct();
  const id = useId();
  const isPause = kind === "paused";
  const save = async () => {
    const until = isPause && { until: new Date(pauses[pause]![1](new Date())).toISOString() };
    const isDone = await run(async () => {
      await api.call("setMemberLine", {
        params: { board, member: agent.name },
        body: { kind, text: text.trim(), ...until },
      });
      await view.reload();
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title={isPause ? `Pause ${agent.name}` : `What ${agent.name} does`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "" && !isBusy) void save();
        }}
      >
        <p class="dim">
          {isPause
            ? "Everybody on the board sees that it pauses and until when. After that it counts as late. It stops no session: say so there."
            : "Everybody on the board sees this line, until the agent or its task sets another."}
        </p>
        <div>
          <label class="lbl" for={id}>
            {isPause ? "What it waits for" : "What it does"}
          </label>
          <input
            class="f"
            id={id}
            maxLength={120}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        {isPause && (
          <div>
            <label class="lbl" for={`${id}until`}>
              For how long
            </label>
            <select
              class="f"
              id={`${id}until`}
              value={pause}
              onChange={(event) => setPause(Number(event.currentTarget.value))}
            >
              {pauses.map(([words], at) => (
                <option key={words} value={at}>
                  {words}
                </option>
              ))}
            </select>
          </div>
        )}
        <Problem text={problem} />
        <div class="act">
          <button class="b p" type="submit" disabled={isBusy || text.trim() === ""}>
            {isPause ? `Pause ${agent.name}` : "Set the line"}
          </button>
          <button class="b q" type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Removes an agent for good. */
export function RemoveAgent({ agent, standing, onClose }: AboutAgent) {
  const { board, view } = standing;
  const [tasks, setTasks] = useState<readonly HeldTask[] | null>(null);
  const { isBusy, problem, run } = useAct();
  useEffect(() => {
    // The dialog says less where they cannot be read.
    openTasksOf(board).then(setTasks, () => {});
  }, []);
  const remove = async () => {
    const params = { board, member: agent.id };
    const isDone = await run(async () => {
      await api.call("removeAgent", { params });
      await view.reload();
    });
    if (!isDone) return;
    onClose();
    toast({ text: `${agent.name} is no longer on ${board}.` });
  };
  return (
    <Confirm
      title={`Remove ${agent.name} from ${board}?`}
      yes={`Remove ${agent.name}`}
      no="Keep it"
      isBad
      isBusy={isBusy}
      problem={problem}
      onYes={() => void remove()}
      onNo={onClose}
    >
      <p>
        Its seat ends for good, its token stops at once, and the name is not given out again.
        {tasks && heldWords(heldBy(tasks, [agent]))} What it wrote stays.
      </p>
      {agent.owner && !ownsIt(agent, standing) && (
        <p class="dim">It belongs to {visible(agent.owner)}, who can add another.</p>
      )}
    </Confirm>
  );
}

const ownsIt = ({ owner }: Member, { me }: Standing): boolean => owner === me?.name;

/** Which tasks nobody works on any more. */
export function heldWords(tasks: readonly HeldTask[]): string {
  if (tasks.length === 0) return "";
  return ` ${listed(tasks.map(({ ref }) => ref))} ${tasks.length === 1 ? "is" : "are"} open again.`;
}
