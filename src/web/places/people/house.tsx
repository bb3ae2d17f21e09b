import { useState } from "preact/hooks";
import type { Member } from "../../core/boards/board.ts";
import { dayOf, daysAgo } from "../../core/screen/time.ts";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton, type MenuItem } from "../../parts/menu.tsx";
import { Mark, Name, visible } from "../../parts/who.tsx";
import { AgentRow } from "./agent-row.tsx";
import { LeaveBoard, MakeOwner, RemovePerson } from "./person-dialogs.tsx";
import { agentsOf, ownersOf, type Standing } from "./standing.ts";

type Dialog = "owner" | "remove" | "leave";

/** A person with their agents. */
export function House({ person, standing }: { person: Member; standing: Standing }) {
  const [open, setOpen] = useState<Dialog | null>(null);
  const agents = agentsOf(standing, person);
  const items = itemsFor(person, standing, setOpen);
  const dialog = { person, standing, onClose: () => setOpen(null) };
  return (
    <section class="house" aria-label={person.name}>
      <div class="house-h">
        <Mark of={person} display={person.display_name} />
        <p>
          <Name of={person} />
          <span class="muted">{aboutPerson(person, standing)}</span>
        </p>
        {items.length > 0 && (
          <MenuButton label={`Menu of ${person.name}`} items={items}>
            <Icon name="dots" />
          </MenuButton>
        )}
      </div>
      {agents.length > 0 && (
        <ul>
          {agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} standing={standing} />
          ))}
        </ul>
      )}
      {open === "owner" && <MakeOwner {...dialog} />}
      {open === "remove" && <RemovePerson {...dialog} />}
      {open === "leave" && <LeaveBoard {...dialog} />}
    </section>
  );
}

/** Who a person is on the board, in a few words. */
function aboutPerson(person: Member, { me }: Standing): string {
  const { display_name, server_role, access, joined_at } = person;
  const days = daysAgo(joined_at);
  const since = days <= 1 ? dayOf(joined_at).toLowerCase() : dayOf(joined_at);
  return [
    display_name && visible(display_name),
    person.id === me?.id && "you",
    server_role === "guest" && "guest",
    access === "admin" ? "owner of the board" : `on the board since ${since}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What the reader may do about a person. What would be refused is not among it. */
function itemsFor(
  person: Member,
  standing: Standing,
  open: (dialog: Dialog) => void,
): readonly MenuItem[] {
  const { me, isOwner, isArchived } = standing;
  const isMe = person.id === me?.id;
  const isOnlyOwner = person.access === "admin" && ownersOf(standing).length === 1;
  const items: (MenuItem | false)[] = [
    isOwner &&
      !isArchived &&
      person.access !== "admin" &&
      person.server_role !== "guest" && {
        label: "Make an owner…",
        icon: "key",
        run: () => open("owner"),
      },
    isMe &&
      !isOnlyOwner && {
        label: "Leave the board…",
        icon: "leave",
        isBad: true,
        run: () => open("leave"),
      },
    isOwner &&
      !isMe && {
        label: "Remove from the board…",
        icon: "leave",
        isBad: true,
        run: () => open("remove"),
      },
  ];
  return items.filter((item) => item !== false);
}
