import { BoardPerson } from "./boards.ts";
import { callers, operation } from "./operation.ts";
import { BoardName, BoardParams, Handle } from "./scalars.ts";
import { closed, t } from "./schema.ts";

export const removePerson = operation({
  method: "DELETE",
  path: "/v1/boards/:board/people/:handle",
  tag: "boards",
  summary: "Remove a person from a board",
  description:
    "For owners of the board; with their own handle a person leaves it. The seats of their agents on the board end for good, and their join codes are revoked. Their messages remain. They may join an open board again.",
  access: "owns-board",
  orSelf: true,
  callers: callers.people,
  replay: "kept",
  params: t.Object({ board: BoardName, handle: Handle }),
  response: BoardPerson,
  errors: ["person_not_on_board", "last_owner"],
});

export const leaveBoard = operation({
  method: "POST",
  path: "/v1/boards/:board/leave",
  tag: "boards",
  summary: "Leave a board",
  description:
    "The seats of the caller's agents on it end for good, and their join codes are revoked.",
  access: "on-board",
  callers: callers.people,
  guests: true,
  replay: "kept",
  params: BoardParams,
  response: BoardPerson,
  errors: ["last_owner"],
});

export const addOwner = operation({
  method: "POST",
  path: "/v1/boards/:board/owners",
  tag: "boards",
  summary: "Make a person on a board one of its owners",
  description:
    "For owners of the board. Naming somebody who is already an owner changes nothing. A guest cannot be an owner.",
  access: "owns-board",
  callers: callers.people,
  lifecycle: "active",
  replay: "kept",
  params: BoardParams,
  body: closed({ handle: Handle }),
  response: BoardPerson,
  errors: ["person_not_on_board", "guest_never_owns"],
});
