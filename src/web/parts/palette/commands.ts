import { dialog } from "../../core/screen/dialogs.ts";
import { openPalette } from "../../core/screen/palette.ts";
import { prefer, preferences } from "../../core/screen/preferences.ts";
import { addressOf, go, type BoardPart } from "../../core/screen/router.ts";
import { isGuest } from "../../core/connection/session.ts";
import { fitting, type Find, type Group } from "./palette-finds.ts";
import type { IconName } from "../icon.tsx";

/** Something that can be done from the palette. */
interface Command {
  readonly title: string;
  readonly icon: IconName;
  readonly keyName?: string;
  run(): void;
}

const partsHere: readonly (readonly [string, BoardPart, string, IconName])[] = [
  ["Talk", "talk", "G T", "board"],
  ["Tasks", "tasks", "G K", "task"],
  ["Files", "files", "G F", "file"],
  ["Brief", "brief", "G B", "brief"],
  ["People", "people", "G P", "people"],
];

function commandsAt(board: string | null): readonly Command[] {
  const { theme } = preferences.value;
  const look = (name: string, value: typeof theme): Command[] =>
    value === theme ? [] : [{ title: name, icon: "eye", run: () => prefer({ theme: value }) }];
  return [
    ...(board
      ? partsHere.map(([title, part, keyName, icon]) => ({
          title: `${title} of ${board}`,
          icon,
          keyName,
          run: () => go(addressOf(board, part)),
        }))
      : []),
    ...(board
      ? [
          {
            title: `Search ${board}`,
            icon: "search" as const,
            keyName: "/",
            run: () => openPalette(board),
          },
        ]
      : []),
    { title: "What needs you", icon: "needs", keyName: "G H", run: () => go("/") },
    ...(isGuest.value
      ? []
      : [
          {
            title: "Make a board",
            icon: "plus" as const,
            run() {
              dialog.value = "new-board";
            },
          },
        ]),
    { title: "Open boards to join", icon: "board", run: () => go("/?show=open") },
    { title: "Archived boards", icon: "archive", run: () => go("/?show=archived") },
    { title: "Your account", icon: "people", run: () => go("/account") },
    {
      title: "Keyboard shortcuts",
      icon: "list",
      keyName: "?",
      run() {
        dialog.value = "keys";
      },
    },
    ...look("Light colours", "light"),
    ...look("Dark colours", "dark"),
    ...look("The system’s colours", null),
  ];
}

/** The commands whose names fit what was typed. */
export const commandsFor = (typed: string, board: string | null, most = 30): Group => ({
  title: "Do",
  finds: fitting(typed, commandsAt(board), ({ title }) => title, most).map(
    ({ one, pieces }): Find => ({
      id: one.title,
      icon: one.icon,
      pieces,
      ...(one.keyName && { keyName: one.keyName }),
      to: one.run,
    }),
  ),
});
