import { expect, test } from "bun:test";
import type { ApiError, Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { makeDocs, seatOnDocs } from "../../support/boards/docs-board.ts";
import { selection, startPair } from "../../support/boards/board-with-pairing.ts";

const limited = { status: 429, code: "rate_limited" };

test("thirty attempts to join are let through in a minute, and the thirty-first is told when to come back", async () => {
  const world = await startWorld({ rateScale: 1 });
  const attempt = () => world.admin.send("join", { body: { code: "000-000" } });
  for (let n = 0; n < 30; n++) expect((await attempt()).status).toBe(404);
  const refused = await attempt();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");

  world.pass(60);
  expect((await attempt()).status).toBe(404);
});

test("attempts are counted before the credential is looked at", async () => {
  const world = await startWorld({ rateScale: 1 });
  const stranger = world.as("abh_nobody-at-all");
  for (let n = 0; n < 30; n++)
    await refusalOf(stranger.call("join", { body: { code: "000-000" } }));
  expect(await refusalOf(world.admin.call("join", { body: { code: "000-000" } }))).toMatchObject(
    limited,
  );
});

test("ten redemptions of invitations are let through in a minute", async () => {
  const world = await startWorld({ rateScale: 1 });
  const body = { invite: "abi_wrong", handle: "bo", key_name: "machine" };
  const attempt = () => refusalOf(world.as().call("connect", { body }));
  for (let n = 0; n < 10; n++) expect(await attempt()).toMatchObject({ code: "invite_invalid" });
  expect(await attempt()).toMatchObject(limited);
});

test("a team's server limits the posts of a credential, a local one does not", async () => {
  for (const [mode, url, last] of [
    ["team", "https://board.example.org", 429],
    ["local", "http://127.0.0.1:7400", 201],
  ] as const) {
    const world = await startWorld({ mode, url, rateScale: 0.01 });
    await world.admin.call("createBoard", { body: { name: "docs" } });
    const post = async () =>
      (
        await world.admin.send("postMessage", {
          params: { board: "docs" },
          body: { body: "again" },
        })
      ).status;
    for (let n = 0; n < 6; n++) expect(await post()).toBe(201);
    expect(await post()).toBe(last);
  }
});

test("selecting a session for a pairing counts as a post", async () => {
  const world = await startWorld({ mode: "team", url: "https://board.example.org", rateScale: 1 });
  const { bo, scout, ask } = await startPair(world);
  const { id } = await ask();
  const body = selection(id, "recipient", scout.id);
  const select = async () => (await bo.send("createPairingCredential", { body })).status;
  for (let n = 0; n < 600; n++) expect(await select()).toBe(200);
  expect(await select()).toBe(429);
  world.pass(60);
  expect(await select()).toBe(200);
});

test("the scale multiplies every limit, and 0 turns them off", async () => {
  const twice = await startWorld({ rateScale: 2 });
  for (let n = 0; n < 60; n++)
    expect((await twice.admin.send("join", { body: { code: "000-000" } })).status).toBe(404);
  expect((await twice.admin.send("join", { body: { code: "000-000" } })).status).toBe(429);
  const off = await startWorld({ rateScale: 0 });
  for (let n = 0; n < 100; n++)
    expect((await off.admin.send("join", { body: { code: "000-000" } })).status).toBe(404);
});

/** An upload whose bytes end when the test says so. */
function upload(client: Client, name: string) {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const begun = Promise.withResolvers<void>();
  const stream = () =>
    new ReadableStream<Uint8Array>(
      {
        start: (given) => void (controller = given),
        // Asked for when the first bytes are taken in.
        pull: () => begun.resolve(),
      },
      { highWaterMark: 0 },
    );
  const input = { params: { board: "docs" }, query: { name } };
  const answer = client.upload(input, { size: 1, stream }).then(
    () => "201",
    (error: ApiError) => `${error.status} ${error.code}`,
  );
  return {
    answer,
    begun: Promise.race([begun.promise, answer]),
    end() {
      controller.enqueue(new Uint8Array(1));
      controller.close();
      return answer;
    },
    breakOff() {
      controller.error(new Error("gone"));
      return answer;
    },
  };
}

test("64 uploads of a credential are taken in at once; whichever way one ends, another can begin", async () => {
  const world = await startWorld({ rateScale: 1 });
  await makeDocs(world);
  const seat = await seatOnDocs(world, "scout");
  const begin = async (name: string) => {
    const started = upload(world.admin, name);
    await started.begun;
    return started;
  };
  const uploads = [];
  for (let n = 0; n < 64; n++) uploads.push(await begin(`${n}.bin`));
  expect(await upload(world.admin, "late.bin").answer).toBe("429 rate_limited");
  // Others have their own, and what is refused unread takes none.
  expect(await upload(seat, "scout.bin").end()).toBe("201");

  expect(await uploads[0]!.end()).toBe("201");
  expect(await upload(world.admin, "0.bin").answer).toBe("409 file_exists");
  const next = await begin("late.bin");
  expect(await upload(world.admin, "later.bin").answer).toBe("429 rate_limited");
  expect(await next.breakOff()).toBe("400 invalid_request");
  expect(await (await begin("later.bin")).end()).toBe("201");
  for (const { end } of uploads.slice(1)) expect(await end()).toBe("201");
});
