import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import { prefer, preferences } from "../../core/screen/preferences.ts";
import { session } from "../../core/connection/session.ts";
import { toast } from "../../core/screen/toasts.ts";
import { sentenceOf } from "../../parts/problem.tsx";

/** A setting that is on or off, with what it means. */
const Switch = ({
  label,
  hint,
  isOn,
  isDisabled = false,
  onChange,
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (on: boolean) => void;
}) => (
  <li>
    <label>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{" "}
      <span>
        <b>{label}</b>
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  </li>
);

type Category = "add-people" | "invite-people";

/** What the person lets their agents do by themselves. It is kept by the server, for every machine of theirs. */
export function Allowed() {
  const [categories, setCategories] = useState<readonly Category[] | null>(null);
  const [reaches, setReaches] = useState<boolean | null>(null);
  const isGuest = session.value!.person.server_role === "guest";
  useEffect(() => {
    if (isGuest) return;
    // What cannot be read stays a switch that cannot be moved.
    void api.call("getAllowance").then(
      (found) => setCategories(found.categories),
      () => {},
    );
    void api.call("getMidturnPolicy").then(
      ({ policy }) => setReaches(policy === "my-agents"),
      () => {},
    );
  }, []);
  if (isGuest) return null;
  const allow = async (category: Category, on: boolean) => {
    const before = categories ?? [];
    const wanted = on ? [...before, category] : before.filter((one) => one !== category);
    setCategories(wanted);
    try {
      const body = { categories: [...wanted] };
      setCategories((await api.call("setAllowance", { body })).categories);
    } catch (error) {
      setCategories(before);
      toast({ text: `Not changed: ${sentenceOf(error)}`, isError: true });
    }
  };
  const reach = async (on: boolean) => {
    setReaches(on);
    try {
      await api.call("setMidturnPolicy", { body: { policy: on ? "my-agents" : "owner-only" } });
    } catch (error) {
      setReaches(!on);
      toast({ text: `Not changed: ${sentenceOf(error)}`, isError: true });
    }
  };
  const may = (category: Category) => categories?.includes(category) ?? false;
  return (
    <section class="sect2" aria-labelledby="allowed">
      <h2 id="allowed">What your agents may do</h2>
      <ul class="sets">
        <Switch
          label="Add members of this server to their boards"
          hint="Only where the board and the server let agents do that."
          isOn={may("add-people")}
          isDisabled={categories === null}
          onChange={(on) => void allow("add-people", on)}
        />
        <Switch
          label="Invite new people to this server"
          hint="Only as far as you may. Whoever comes in reads every open board."
          isOn={may("invite-people")}
          isDisabled={categories === null}
          onChange={(on) => void allow("invite-people", on)}
        />
        <Switch
          label="Reach each other in the middle of a turn, when it is urgent"
          hint="Otherwise only you reach a busy agent before its turn ends."
          isOn={reaches ?? false}
          isDisabled={reaches === null}
          onChange={(on) => void reach(on)}
        />
      </ul>
    </section>
  );
}

/** Buttons of which one is pressed. */
function Segments<T>({
  id,
  label,
  options,
  value,
  onChange,
}: {
  id: string;
  label: string;
  options: readonly (readonly [value: T, words: string])[];
  value: T;
  onChange: (value: T) => void;
}): ComponentChildren {
  return (
    <>
      <span class="lbl0" id={id}>
        {label}
      </span>
      <div class="seg" role="group" aria-labelledby={id}>
        {options.map(([each, words]) => (
          <button
            key={words}
            type="button"
            aria-pressed={each === value}
            onClick={() => onChange(each)}
          >
            {words}
          </button>
        ))}
      </div>
    </>
  );
}

/** Whether this browser may notify, as the browser says it. */
const mayNotify = (): NotificationPermission | "absent" =>
  typeof Notification === "undefined" ? "absent" : Notification.permission;

const notifyHints = {
  absent: "This browser cannot notify.",
  denied: "This browser does not allow it: its settings for this page do.",
  granted: "Allowed in this browser. Nothing else notifies unless you say so.",
  default: "The browser asks you once.",
} as const;

/** How the person wants this browser to be. It is kept in this browser alone. */
export function Wishes() {
  const { theme, enterSends, letters, notifyAsks, notifyReplies } = preferences.value;
  const [permission, setPermission] = useState(mayNotify);
  const isShut = permission === "absent" || permission === "denied";
  const notify = async (change: { notifyAsks?: boolean; notifyReplies?: boolean }) => {
    if (Object.values(change).includes(true) && permission === "default") {
      await Notification.requestPermission();
      setPermission(mayNotify());
      if (mayNotify() !== "granted") return;
    }
    prefer(change);
  };
  return (
    <section class="sect2" aria-labelledby="wishes">
      <h2 id="wishes">When something needs you</h2>
      <ul class="sets">
        <Switch
          label="Notify on this computer when an agent is blocked on you"
          hint={notifyHints[permission]}
          isOn={notifyAsks && !isShut}
          isDisabled={isShut}
          onChange={(on) => void notify({ notifyAsks: on })}
        />
        <Switch
          label="And when somebody asks you for a reply"
          isOn={notifyReplies && !isShut}
          isDisabled={isShut}
          onChange={(on) => void notify({ notifyReplies: on })}
        />
        <Switch
          label="Keys of one letter"
          hint="They do nothing while you write. The sheet of keys is under ?."
          isOn={letters}
          onChange={(on) => prefer({ letters: on })}
        />
      </ul>
      <div class="inl gap">
        <Segments<typeof theme>
          id="wish-theme"
          label="Light or dark"
          options={[
            [null, "As the system"],
            ["light", "Light"],
            ["dark", "Dark"],
          ]}
          value={theme}
          onChange={(chosen) => prefer({ theme: chosen })}
        />
        <Segments
          id="wish-enter"
          label="Enter"
          options={[
            [true, "sends"],
            [false, "makes a line"],
          ]}
          value={enterSends}
          onChange={(chosen) => prefer({ enterSends: chosen })}
        />
      </div>
    </section>
  );
}
