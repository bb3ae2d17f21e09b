import type { BoardView } from "../../core/boards/board.ts";
import { boardNamed } from "../../core/boards/overview.ts";
import { copyLinkTo } from "../../core/screen/copy.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { addressOf, go } from "../../core/screen/router.ts";
import { positionOf } from "../../core/talk/position.ts";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton, type MenuItem } from "../../parts/menu.tsx";
import { lifecycleItems } from "../people/lifecycle-items.ts";
import { mayAddTo, standingOn } from "../people/standing.ts";

/** What can be done with the board that is shown, on any of its tabs. */
export function BoardMenu({ view }: { view: BoardView }) {
  useKeys({ m: () => (boardNamed(view.name)?.unread ? markRead(view.name) : false) });
  return (
    <MenuButton label={`Menu of ${view.name}`} items={itemsOf(view)}>
      <Icon name="dots" />
    </MenuButton>
  );
}

const markRead = (board: string): void => positionOf(board).mark(boardNamed(board)?.head_seq ?? 0);

function itemsOf(view: BoardView): MenuItem[] {
  const { name } = view;
  const info = view.info.value;
  const items: MenuItem[] = [
    {
      label: "Copy its link",
      icon: "link",
      run: () => void copyLinkTo(addressOf(name), `the link of ${name}`),
    },
  ];
  if (boardNamed(name)?.unread)
    items.push({
      label: "Mark it read",
      icon: "check",
      keyName: "M",
      run: () => markRead(name),
    });
  if (!info) return items;
  const standing = standingOn(view);
  const addTo = (part: string) => () => go(addressOf(name, "people", part));
  if (mayAddTo(standing))
    items.push(
      { label: "Add an agent", icon: "agent", isApart: true, run: addTo("add-agent") },
      { label: "Add a person", icon: "people", run: addTo("add-person") },
    );
  return [...items, ...lifecycleItems(standing, info).map(apartAtFirst)];
}

/** The acts on the whole board stand apart from the others. */
const apartAtFirst = (item: MenuItem, at: number): MenuItem =>
  at === 0 ? { ...item, isApart: true } : item;
