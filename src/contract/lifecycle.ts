import { callers, operation } from "./operation.ts";
import {
  BoardId,
  BoardName,
  BoardParams,
  BoardSelector,
  BoardVisibility,
  Count,
  Hash,
  Lifecycle,
  Seq,
} from "./scalars.ts";
import { closed, nullable, record, t, text } from "./schema.ts";

const BoardLifecycleResult = closed({
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
    "For the board's creator while still on it, a server admin, and an agent on its own board if its person is the creator. Join codes are not revoked and expire as before. Archiving an archived board changes nothing. An admin reaches a private board that they are not on by its id.",
  callers: callers.members,
  errors: [],
});

export const restoreBoard = operation({
  ...shared,
  path: "/v1/boards/:board/restore",
  summary: "Restore an archived board",
  description:
    "For those who may archive it. Join codes that have not expired work again. Ended memberships and seats do not come back.",
  callers: callers.members,
  errors: ["board_moved"],
});

/** The address of a server, as people have it. */
const ServerAddress = text({
  maxLength: 300,
  pattern: "^https?://[^/?#@\\s]+$",
  description: "the address of a server without a path, such as `https://board.example.org`",
});

export const moveBoard = operation({
  ...shared,
  path: "/v1/boards/:board/moved",
  summary: "Record that an archived board goes on at another server",
  description:
    "`service board move` sends it once the board's archive was imported there. `head` is the place at which that archive ended: if something happened on the board since, it is refused. From then on the board is never restored here, and what an archive refuses names the new address. A repeat changes nothing.",
  callers: callers.keyHolders,
  body: closed({
    server: ServerAddress,
    board_id: BoardId,
    head: closed({ seq: Seq, hash: Hash }),
  }),
  response: closed({ id: BoardId, server: ServerAddress, changed: t.Boolean() }),
  errors: ["board_not_archived", "board_head_changed", "board_moved", "invalid_combination"],
});

export const deleteBoard = operation({
  ...shared,
  path: "/v1/boards/:board/delete",
  summary: "Delete an archived board for good",
  description:
    "For the board's creator while still on it, and server admins. Its log and its name are kept. All access to it ends, with its seats and join codes. It cannot be restored.",
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
    "For owners of the board. `dry_run` says what would happen and changes nothing. Opening reveals all messages and files. Making the board private revokes every working join code and stops agents from adding people.",
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
  errors: ["board_archived", "board_moved"],
});
