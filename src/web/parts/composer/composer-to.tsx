import { boardOf, type Member } from "../../core/boards/board.ts";
import { me } from "../../core/boards/overview.ts";
import { listed, reachOf } from "../../core/sending/recipients.ts";
import type { Writing } from "./writing.ts";
import { Icon } from "../icon.tsx";
import { MenuButton, type MenuItem } from "../menu.tsx";
import { Mark, Name, visible } from "../who.tsx";

/** Whom a message goes to, and whom it wakes. */
export function Recipients({ writing }: { writing: Writing }) {
  const { draft, place, people, change } = writing;
  const view = boardOf(place.board);
  const members = view.members.value;
  const choose = (target: string) =>
    change({ to: target === "all" || draft.ask ? [target] : [...withoutAll(draft.to), target] });
  const unsaid = people ? listed(people) || "the thread" : "everyone";
  const whom = draft.ask ? "choose whom" : visible(unsaid);
  const names = draft.to.length > 0 ? draft.to.map(nameOf).join(", ") : whom;
  const items = itemsFor(writing, members, Object.keys(view.info.value?.roles ?? {}), choose);
  return (
    <div class="compose-to">
      to
      {draft.to.map((target) => (
        <span class="chip" key={target}>
          <Target target={target} members={members} />
          <button
            type="button"
            aria-label={`Without ${nameOf(target)}`}
            onClick={() => change({ to: draft.to.filter((one) => one !== target) })}
          >
            <Icon name="x" small />
          </button>
        </span>
      ))}
      {(draft.to.length === 0 || !draft.ask) && items.length > 0 && (
        <MenuButton
          class="chip more"
          label={draft.to.length > 0 ? `Recipients: ${names}. Add one` : `Recipients: ${names}`}
          items={items}
        >
          {draft.to.length > 0 ? <Icon name="plus" small /> : <span>{whom}</span>}
          {draft.to.length === 0 && <Icon name="down" small />}
        </MenuButton>
      )}
      <span class="end0" role="status">
        {(!draft.ask || draft.to.length > 0) && reachOf(draft, members, me.value, people)}
      </span>
    </div>
  );
}

const withoutAll = (to: readonly string[]) => to.filter((target) => target !== "all");

/** A target as a person says it. */
const nameOf = (target: string): string =>
  visible(target.startsWith("@") ? target.slice(1) : target === "all" ? "everyone" : target);

function Target({ target, members }: { target: string; members: readonly Member[] }) {
  const member = members.find(({ name }) => `@${name}` === target);
  if (!member) return <bdi>{nameOf(target)}</bdi>;
  return (
    <>
      <Mark of={member} display={member.display_name} small />
      <Name of={member} />
    </>
  );
}

/** What a recipient can be chosen from. An ask goes to one member. */
function itemsFor(
  { draft, people }: Writing,
  members: readonly Member[],
  roles: readonly string[],
  choose: (target: string) => void,
): readonly MenuItem[] {
  const others = members.filter(({ name }) => name !== me.value);
  const item = (target: string, label: string, icon: MenuItem["icon"], isApart = false) =>
    draft.to.includes(target)
      ? []
      : [{ label, isApart, ...(icon && { icon }), run: () => choose(target) }];
  const single = others.flatMap(({ name, kind }) =>
    item(`@${name}`, visible(name), kind === "agent" ? "agent" : "people"),
  );
  if (draft.ask) return single;
  const held = roles.filter((role) => others.some((one) => one.role === role));
  const owners = [
    ...new Set(others.flatMap(({ kind, owner }) => (kind === "agent" ? (owner ?? []) : []))),
  ];
  return [
    ...(people || draft.to.length > 0 ? item("all", "everyone", "board") : []),
    ...single,
    ...held.flatMap((role, at) => item(`role:${role}`, `role:${role}`, "people", at === 0)),
    ...owners.flatMap((owner, at) =>
      item(
        `owner:${owner}`,
        owner === me.value ? "your agents" : `${visible(owner)}’s agents`,
        "agent",
        at === 0,
      ),
    ),
  ];
}
