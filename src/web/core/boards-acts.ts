import { api } from "./connection/api.ts";
import { forgetBoards } from "./boards/board.ts";
import { me, reloadBoards } from "./boards/overview.ts";
import { addressOf, go } from "./screen/router.ts";
import { forgetTalks } from "./talk/talk.ts";
import { forgetTasks } from "./tasks/tasks.ts";
import { toast } from "./screen/toasts.ts";

/** Makes a board and goes there. A name that nobody gives is made by the server. */
export async function makeBoard(name: string, title: string, isPrivate: boolean): Promise<void> {
  const board = await api.call("createBoard", {
    body: {
      ...(name && { name }),
      ...(title && { title }),
      visibility: isPrivate ? "private" : "open",
    },
  });
  await reloadBoards();
  go(addressOf(board.name));
}

/** Joins an open board as oneself. What was held of it was read without a seat, and is read again. */
export async function joinBoard(board: string): Promise<void> {
  await api.call("addPerson", { params: { board }, body: { handle: me.value } });
  forgetBoards();
  forgetTalks();
  forgetTasks();
  await reloadBoards();
  toast({ text: `You are on ${board}.` });
}

/** Leaves a board as oneself. What was held of it is forgotten, since the person may not read it any more. */
export async function leaveBoard(board: string): Promise<void> {
  await api.call("leaveBoard", { params: { board } });
  forgetBoards();
  forgetTalks();
  await reloadBoards();
  toast({ text: `You have left ${board}.` });
}

/** What keeps a board: its archive, its end, and coming back from its archive. By its name or its id. */
export async function keepBoard(
  act: "archiveBoard" | "restoreBoard" | "deleteBoard",
  board: string,
): Promise<void> {
  await api.call(act, { params: { board } });
  await reloadBoards();
}
