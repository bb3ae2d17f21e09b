import type { BoardInfo } from "../../core/boards/board.ts";
import { addressOf, go } from "../../core/screen/router.ts";
import type { MenuItem } from "../../parts/menu.tsx";
import type { Standing } from "./standing.ts";

/** The address that asks for an act on the whole board. */
const doing = (board: string, act: string) => `${addressOf(board, "people")}?do=${act}`;

/** What the reader may do with the whole board. */
export function lifecycleItems({ board, isOwner }: Standing, info: BoardInfo): readonly MenuItem[] {
  const { lifecycle, visibility, can_archive, can_restore, can_delete } = info;
  const isActive = lifecycle === "active";
  const to = (act: string) => () => go(doing(board, act));
  const items: (MenuItem | false)[] = [
    isOwner &&
      visibility === "open" && { label: "Make it private…", icon: "lock", run: to("private") },
    isOwner &&
      isActive &&
      visibility === "private" && { label: "Open it…", icon: "eye", run: to("open") },
    isActive && can_archive && { label: "Archive it…", icon: "archive", run: to("archive") },
    !isActive && can_restore && { label: "Restore it…", icon: "archive", run: to("restore") },
    !isActive &&
      can_delete && {
        label: "Delete it for good…",
        icon: "x",
        isBad: true,
        isApart: true,
        run: to("delete"),
      },
  ];
  return items.filter((item) => item !== false);
}
