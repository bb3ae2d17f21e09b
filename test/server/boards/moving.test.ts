import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import {
  docs,
  eventsOf,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
} from "../../support/boards/docs-board.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";

const server = "https://other.example";

/** The board docs with ben and an agent of ana's, archived. */
async function archivedDocs() {
  const world = await startWorld();
  await makeDocs(world);
  const ben = await personOnDocs(world, "ben");
  const scout = await seatOnDocs(world, "scout");
  await post(ben, "Before.");
  await world.admin.call("archiveBoard", docs);
  return { world, ana: world.admin, ben, scout };
}
async function headOf(client: Client) {
  const { id, head_seq: seq } = await client.call("getBoard", docs);
  return { board_id: id, head: { seq, hash: (await eventsOf(client)).at(-1)!.hash } };
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    ({ code }: { code: string }) => code,
  );

test("a board that moved stays archived, and whatever an archive refuses names where it is", async () => {
  const { world, ana, ben, scout } = await archivedDocs();
  const body = { server, ...(await headOf(ana)) };
  expect(await codeOf(post(ben, "No."))).toBe("board_archived");
  expect(await ana.call("moveBoard", { ...docs, body })).toMatchObject({ server, changed: true });
  const { type, actor, data } = (await eventsOf(ana)).at(-1)!;
  expect([type, actor.kind, data]).toEqual([
    "board.moved",
    "system",
    { server, board_id: body.board_id },
  ]);
  for (const refused of [
    () => post(ben, "No."),
    () => post(scout, "No."),
    () => ana.call("restoreBoard", docs),
    () => ana.call("createJoinCode", { ...docs, body: { role: "member" } }),
    () => ana.call("createTask", { ...docs, body: { title: "No" } }),
  ])
    await expect(refused()).rejects.toMatchObject({
      code: "board_moved",
      message: `Board docs has moved to ${server}.`,
      hint: expect.stringContaining(`service connect ${server}`),
    });
  expect(await ben.call("getBoard", docs)).toMatchObject({
    lifecycle: "archived",
    can_restore: false,
    moved_to: { server, board_id: body.board_id },
  });
  const { boards } = await ben.call("listBoards", { query: { lifecycle: "archived" } });
  expect(boards).toMatchObject([{ name: "docs", moved_to: { server } }]);
  // What works on an archive works on.
  expect((await ben.call("listMessages", docs)).messages).toHaveLength(1);
  await ben.call("leaveBoard", docs);
  await ana.call("deleteBoard", docs);
  expect(await codeOf(ana.call("getBoard", docs))).toBe("board_not_found");
  expect(world.db.read((tx) => tx.all("SELECT board_id FROM moved_board"))).toHaveLength(1);
});

test("a repeat changes nothing, and another server is refused", async () => {
  const { ana } = await archivedDocs();
  const body = { server, ...(await headOf(ana)) };
  await ana.call("moveBoard", { ...docs, body });
  const { seq } = (await eventsOf(ana)).at(-1)!;
  expect(await ana.call("moveBoard", { ...docs, body })).toMatchObject({ changed: false });
  const other = { ...body, server: "https://third.example" };
  expect(await codeOf(ana.call("moveBoard", { ...docs, body: other }))).toBe("board_moved");
  expect((await eventsOf(ana)).at(-1)!.seq).toBe(seq);
});

test("a board that is in use, or on which something happened since its export, does not move", async () => {
  const { ana, ben } = await archivedDocs();
  const body = { server, ...(await headOf(ana)) };
  await ben.call("leaveBoard", docs);
  expect(await codeOf(ana.call("moveBoard", { ...docs, body }))).toBe("board_head_changed");
  const now = await headOf(ana);
  const otherHash = { ...now.head, hash: body.head.hash };
  expect(await codeOf(ana.call("moveBoard", { ...docs, body: { ...body, head: otherHash } }))).toBe(
    "board_head_changed",
  );
  await ana.call("restoreBoard", docs);
  const restored = { server, ...(await headOf(ana)) };
  expect(await codeOf(ana.call("moveBoard", { ...docs, body: restored }))).toBe(
    "board_not_archived",
  );
  for (const address of ["ftp://x", "https://x/path", "https://u:p@x", "other.example"])
    expect([
      address,
      await codeOf(ana.call("moveBoard", { ...docs, body: { ...restored, server: address } })),
    ]).toEqual([address, "invalid_request"]);
  await post(ana, "It goes on here.");
  await ana.call("archiveBoard", docs);
  const itself = { server: "http://127.0.0.1:7400", ...(await headOf(ana)) };
  await expect(ana.call("moveBoard", { ...docs, body: itself })).rejects.toMatchObject({
    status: 422,
    code: "invalid_request",
    message: expect.stringContaining("is this server itself"),
  });
});
