import { callers, operation } from "./operation.ts";
import {
  BoardId,
  BoardName,
  BoardParams,
  BoardSelector,
  BoardVisibility,
  Count,
  Lifecycle,
} from "./scalars.ts";
import { closed, nullable, record, t } from "./schema.ts";

export const BoardLifecycleResult = closed({
  id: BoardId,
  lifecycle: Lifecycle,
  changed: t.Boolean(),
});

const params = t.Object({ board: BoardSelector });
const shared = {
  method: "POST",
  tag: "boards",
  access: "keeps-board",
  replay: "kept",
  params,
  response: BoardLifecycleResult,
} as const;

export const archiveBoard = operation({
  ...shared,
  path: "/v1/boards/:board/archive",
  summary: "Archive a board: it stays readable, and nothing is written to it",
  description:
    "For the board's creator while still on it, a server admin, and an agent on its own board whose person is the creator. Codes keep their end; nothing is revoked. Archiving an archive changes nothing. An admin reaches a private board they are not on by its id.",
  callers: callers.members,
  errors: [],
});

export const restoreBoard = operation({
  ...shared,
  path: "/v1/boards/:board/restore",
  summary: "Restore an archived board",
  description:
    "For whoever may archive it. Codes that have not ended work again; no membership and no seat comes back.",
  callers: callers.members,
  errors: [],
});

export const deleteBoard = operation({
  ...shared,
  path: "/v1/boards/:board/delete",
  summary: "Delete an archived board for good",
  description:
    "For the board's creator while still on it, and server admins. The record and the name are kept; every way to read it ends, its seats and codes with it. Nothing brings it back.",
  callers: callers.people,
  endsBoard: true,
  errors: ["board_not_archived"],
});

export const setVisibility = operation({
  method: "POST",
  path: "/v1/boards/:board/visibility",
  tag: "boards",
  summary: "Open a board to everybody on the server, or make it private",
  description:
    "For its owners. `dry_run` tells what would happen and changes nothing. Opening reveals all messages and files; making it private revokes every working join code and ends the agents' leave to add people.",
  access: "owns-board",
  callers: callers.people,
  replay: "kept",
  params: BoardParams,
  body: closed({
    visibility: BoardVisibility,
    dry_run: t.Optional(t.Boolean({ default: false })),
  }),
  response: record({
    board: BoardName,
    before: BoardVisibility,
    after: BoardVisibility,
    changed: t.Boolean(),
    dry_run: t.Boolean(),
    reveals: nullable(record({ messages: Count, files: Count })),
    join_codes_canceled: Count,
  }),
  errors: ["board_archived"],
});
