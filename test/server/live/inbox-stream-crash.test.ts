import { afterAll, beforeAll, expect, test } from "bun:test";
import { createClient, type Client } from "../../../src/client/client.ts";
import { eventsOf } from "../../support/boards/docs-board.ts";
import { builtService, newHome, spawnServer } from "../../support/servers/server-as-process.ts";
import { timesMore } from "../../support/tries.ts";
import { until } from "../../support/wait-until.ts";

const home = newHome();
let server: Awaited<ReturnType<typeof spawnServer>> | undefined;
beforeAll(builtService, 60_000);
afterAll(async () => {
  if (server?.child.exitCode === null) await server.kill();
  home.remove();
});

/** More agents join than an address may let join in a minute. */
const start = () => spawnServer(home.home, { SERVICE_RATE_SCALE: "0" });

const boards = timesMore(2);
const agentsOfEach = 5;
const rounds = timesMore(2);

/** Follows an inbox across lost connections, and keeps the seq of everything that it is sent. */
function followThroughout(agent: Client) {
  const seqs: number[] = [];
  const leaving = new AbortController();
  let last: string | undefined;
  let connections = 0;
  const following = (async () => {
    while (!leaving.signal.aborted)
      try {
        const options = {
          signal: leaving.signal,
          ...(last !== undefined && { lastEventId: last }),
        };
        for await (const { event, data, id } of agent.follow("streamInbox", {}, options)) {
          if (event === "ready") connections++;
          if (event !== "messages") continue;
          seqs.push(...data.messages.map(({ seq }) => seq));
          last = id;
        }
      } catch {
        await Bun.sleep(10);
      }
  })();
  return {
    seqs,
    connections: () => connections,
    async leave() {
      leaving.abort();
      await following;
    },
  };
}

/** Posts to a board until it is told to stop. What got no answer is sent again under its key. */
async function write(owner: Client, board: string, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const to = n % 3 ? ["all"] : ["@a0", "@a1"];
    const send = () =>
      owner.call(
        "postMessage",
        { params: { board }, body: { body: `n${n}`, to } },
        { idempotencyKey: `${board} ${n}` },
      );
    while (!(await send().catch(() => null))) await Bun.sleep(10);
  }
}

test("whatever moment a server is killed at, a reader who goes on after its last id misses nothing and gets nothing twice", async () => {
  server = await start();
  const url = await server.ready();
  const client = (token: string) => createClient({ baseUrl: url, token });
  const owner = client(home.ownerToken());
  const names = Array.from({ length: boards }, (_, n) => `board-${n}`);
  const followed: { board: string; name: string; stream: ReturnType<typeof followThroughout> }[] =
    [];
  for (const board of names) {
    await owner.call("createBoard", { body: { name: board } });
    for (let n = 0; n < agentsOfEach; n++) {
      const name = `a${n}`;
      const { token } = await owner.call("join", { body: { board, role: "member", name } });
      followed.push({ board, name, stream: followThroughout(client(token)) });
    }
  }
  const connected = (times: number) => () =>
    followed.every(({ stream }) => stream.connections() >= times);
  await until(connected(1), "all streams are open");

  let isOver = false;
  const writing = names.map((board) => write(owner, board, () => isOver));
  for (let round = 0; round < rounds; round++) {
    await Bun.sleep(50 + Math.random() * 100);
    await server.kill();
    server = await start();
    expect(await server.ready()).toBe(url);
    await until(connected(round + 2), "all streams are open again");
  }
  isOver = true;
  await Promise.all(writing);

  for (const board of names) {
    const { seq: last } = await owner.call("postMessage", {
      params: { board },
      body: { body: "last", to: ["all"] },
    });
    const log = (await eventsOf(owner, board)).filter(({ type }) => type === "message.posted");
    expect(log.length).toBeGreaterThan(rounds);
    for (const { name, stream } of followed.filter((each) => each.board === board)) {
      await until(() => stream.seqs.at(-1) === last, "the last message comes");
      const forIt = log.filter(({ data }) => {
        const to = data!["to"] as string[];
        return to.includes("all") || to.includes(`@${name}`);
      });
      expect({ name, seqs: stream.seqs }).toEqual({ name, seqs: forIt.map(({ seq }) => seq) });
    }
  }
  await Promise.all(followed.map(({ stream }) => stream.leave()));
}, 300_000);
