import fc from "fast-check";
import { command, hosts, type Command } from "../registry.ts";
import { boardCalled } from "../scene.ts";
import { standingOn } from "../standing.ts";
import { boardName } from "../drawn.ts";

const policing = command({
  name: "change the policy",
  weight: 12,
  who: hosts,
  arbitrary: fc.record({
    board: boardName,
    visibility: fc.constantFrom("open" as const, "addressed" as const),
    broadcast: fc.constantFrom("everyone" as const, "granted" as const),
  }),
  choose: (_scene, _by, drawn) => drawn,
  model(scene, by, { board: name, visibility, broadcast }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by);
    if (refusal !== null) return { refusal };
    if (!me.owner) return { refusal: "admin_required" };
    if (board.archived) return { refusal: "board_archived" };
    const same = board.visibility === visibility && board.broadcast === broadcast;
    return { refusal: null, events: same ? [] : ["board.policy_changed"] };
  },
  run: (_scene, { client }, { board, ...policy }) =>
    client.send("updateBoard", { params: { board }, body: { policy } }),
});

const showing = command({
  name: "open or close it",
  weight: 1,
  who: hosts,
  arbitrary: fc.record({
    board: boardName,
    visibility: fc.constantFrom("open" as const, "private" as const),
  }),
  choose: (_scene, _by, drawn) => drawn,
  model: () => ({}),
  run: (_scene, { client }, { board, ...body }) =>
    client.send("setVisibility", { params: { board }, body }),
});

const archiving = command({
  name: "archive",
  weight: 1,
  arbitrary: fc.record({ board: boardName }),
  choose: (_scene, _by, drawn) => drawn,
  model: () => ({}),
  run: (_scene, { client }, params) => client.send("archiveBoard", { params }),
});

const restoring = command({
  name: "restore",
  weight: 10,
  arbitrary: fc.record({ board: boardName }),
  choose: (scene, _by, { board }) => (boardCalled(scene, board).archived ? { board } : null),
  model: () => ({}),
  run: ({ world }, _by, params) => world.admin.send("restoreBoard", { params }),
});

const prefixing = command({
  name: "change the prefix",
  weight: 1,
  arbitrary: fc.record({ board: boardName, task_prefix: fc.constantFrom("PA", "PB") }),
  choose: (_scene, _by, drawn) => drawn,
  model: () => ({}),
  run: (_scene, { client }, { board, ...body }) =>
    client.send("updateBoard", { params: { board }, body }),
});

/** What becomes of boards. */
export const boardCommands: readonly Command[] = [
  policing,
  showing,
  archiving,
  restoring,
  prefixing,
];
