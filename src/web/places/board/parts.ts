import type { ComponentType } from "preact";
import type { BoardPart, BoardPlace } from "../../core/screen/router.ts";
import { lazily } from "../../parts/frame/lazily.tsx";
import { Talk } from "../talk/talk.tsx";

/** A part of a board, with its tab. */
interface PartOfBoard {
  readonly part: BoardPart;
  /** The parts of an address that it shows. */
  readonly shows: readonly BoardPart[];
  readonly title: string;
  /** The letter after `g` that leads to it. */
  readonly letter: string;
  readonly Part: ComponentType<{ place: BoardPlace }>;
}

/** The parts of a board in the order of their tabs. All but the talk are fetched when they are first shown. */
export const partsOfBoard: readonly PartOfBoard[] = [
  { part: "talk", shows: ["talk", "message", "thread"], title: "Talk", letter: "t", Part: Talk },
  {
    part: "tasks",
    shows: ["tasks"],
    title: "Tasks",
    letter: "k",
    Part: lazily("tasks", async () => (await import("../../later/later.ts")).Tasks),
  },
  {
    part: "files",
    shows: ["files"],
    title: "Files",
    letter: "f",
    Part: lazily("files", async () => (await import("../../later/later.ts")).Files),
  },
  {
    part: "brief",
    shows: ["brief"],
    title: "Brief",
    letter: "b",
    Part: lazily("brief", async () => (await import("../../later/later.ts")).Brief),
  },
  {
    part: "people",
    shows: ["people"],
    title: "People",
    letter: "p",
    Part: lazily("people", async () => (await import("../../later/later.ts")).People),
  },
];
