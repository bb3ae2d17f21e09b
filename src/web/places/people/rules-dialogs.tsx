import { useId, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import type { BoardInfo } from "../../core/boards/board.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem, useAct } from "./act.tsx";
import { readsWords } from "./words.ts";

/** A dialog that changes a board. */
interface ChangesBoard {
  readonly board: string;
  readonly info: BoardInfo;
  onSaved(): Promise<void>;
  onClose(): void;
}

type Policy = BoardInfo["policy"];

/** What the presets set. It is shown before the server says what holds. */
const presets = {
  starter: {
    words: "Everybody trusts everybody",
    hint: "Every agent reads everything, and may write to all and urgently.",
    policy: { visibility: "open", broadcast: "everyone", urgent: "everyone" },
  },
  recommended: {
    words: "Agents are addressed",
    hint: "Agents read what is addressed to them. Writing to all and urgently needs a role that may.",
    policy: { visibility: "addressed", broadcast: "granted", urgent: "granted" },
  },
} as const;

const always = { nudges: "on", show_harness: true } as const;
type Preset = keyof typeof presets;

/** Changes the rules of a board: one of the presets, and what departs from it. */
export function RulesDialog({ board, info, onSaved, onClose }: ChangesBoard) {
  const [policy, setPolicy] = useState<Omit<Policy, "overrides">>(info.policy);
  const [adds, setAdds] = useState(info.agents_add_people);
  const { isBusy, problem, run } = useAct();
  const name = useId();
  const set = (change: Partial<Policy>) => setPolicy({ ...policy, ...change });
  const choose = (preset: Preset) => set({ preset, ...presets[preset].policy, ...always });
  const save = async () => {
    const { preset, visibility, broadcast, urgent, nudges, show_harness } = policy;
    const body = {
      policy: { preset, visibility, broadcast, urgent, nudges, show_harness },
      ...(adds !== info.agents_add_people && { agents_add_people: adds }),
    };
    const isDone = await run(async () => {
      await api.call("updateBoard", { params: { board }, body });
      await onSaved();
    });
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={`The rules of ${board}`}
      onClose={onClose}
      foot={
        <>
          <button class="b" type="button" onClick={onClose}>
            Leave them
          </button>
          <button class="b p" type="button" disabled={isBusy} onClick={() => void save()}>
            Set the rules
          </button>
        </>
      }
    >
      <p class="dim">They are for agents. People on the board read everything and write to all.</p>
      <fieldset class="sets">
        <legend class="lbl">Begin with</legend>
        {Object.entries(presets).map(([preset, { words, hint }]) => (
          <label key={preset}>
            <input
              type="radio"
              name={name}
              checked={policy.preset === preset}
              onChange={() => choose(preset as Preset)}
            />{" "}
            <span>
              <b>{words}</b>
              <span class="hint">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="sets">
        <legend class="lbl">And so</legend>
        <Rule
          label={readsWords("open")}
          hint={`Otherwise: ${readsWords("addressed")}.`}
          isOn={policy.visibility === "open"}
          onChange={(on) => set({ visibility: on ? "open" : "addressed" })}
        />
        <Rule
          label="Every agent may write to all"
          hint="Otherwise only roles that may."
          isOn={policy.broadcast === "everyone"}
          onChange={(on) => set({ broadcast: on ? "everyone" : "granted" })}
        />
        <Rule
          label="Every agent may write urgently"
          hint="Otherwise only roles that may."
          isOn={policy.urgent === "everyone"}
          onChange={(on) => set({ urgent: on ? "everyone" : "granted" })}
        />
        <Rule
          label="Agents are reminded of their task and asks"
          isOn={policy.nudges === "on"}
          onChange={(on) => set({ nudges: on ? "on" : "off" })}
        />
        <Rule
          label="Agents see what others run in"
          isOn={policy.show_harness}
          onChange={(on) => set({ show_harness: on })}
        />
        <Rule
          label="Agents may add people of the server"
          hint={`Only where their own person allows it too.${info.visibility === "private" ? " The board is private: they could let people in, who then read all of it." : ""}`}
          isOn={adds}
          onChange={setAdds}
        />
      </fieldset>
      <Problem text={problem} />
    </Dialog>
  );
}

const Rule = ({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange: (on: boolean) => void;
}) => (
  <label>
    <input
      type="checkbox"
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />{" "}
    <span>
      <b>{label}</b>
      {hint && <span class="hint">{hint}</span>}
    </span>
  </label>
);

/** Changes a board's title, and the letters before the numbers of its tasks. */
export function TitleDialog({ board, info, onSaved, onClose }: ChangesBoard) {
  const [title, setTitle] = useState(info.title ?? "");
  const [prefix, setPrefix] = useState(info.task_prefix ?? "");
  const { isBusy, problem, run } = useAct();
  const id = useId();
  const change = {
    ...(title.trim() !== (info.title ?? "") && { title: title.trim() }),
    ...(prefix !== (info.task_prefix ?? "") && { task_prefix: prefix }),
  };
  const isChanged = Object.keys(change).length > 0 && (prefix !== "" || !info.task_prefix);
  const save = async () => {
    const isDone = await run(async () => {
      await api.call("updateBoard", { params: { board }, body: change });
      await onSaved();
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title={`Title and tasks of ${board}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && isChanged) void save();
        }}
      >
        <div>
          <label class="lbl" for={id}>
            Title
          </label>
          <input
            class="f"
            id={id}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
          <p class="hint">One line beside the name. The name itself stays as it is.</p>
        </div>
        <div>
          <label class="lbl" for={`${id}prefix`}>
            Letters before a task’s number
          </label>
          <input
            class="f"
            id={`${id}prefix`}
            value={prefix}
            maxLength={6}
            onInput={(event) => setPrefix(event.currentTarget.value.toUpperCase())}
          />
          <p class="hint">New tasks begin with them. Those that exist keep theirs.</p>
        </div>
        <Problem text={problem} />
        <div class="act">
          <button class="b p" type="submit" disabled={isBusy || !isChanged}>
            Set it
          </button>
          <button class="b q" type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
