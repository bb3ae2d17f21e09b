import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import {
  docs,
  eventsOf,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
} from "../../support/boards/docs-board.ts";
import { newMachine } from "../../support/commands/machine.ts";
import {
  badGateway,
  clockedServer,
  type ClockedServer,
} from "../../support/servers/server-on-port-with-clock.ts";
import { sized } from "../../support/tries.ts";

/** Two servers with ana as the admin of both, and a machine that is signed in at both. The board docs is at the first. */
async function twoServers() {
  const [here, there] = [await clockedServer(), await clockedServer()];
  const machine = newMachine();
  await machine.ok(["login", here.url], { stdin: here.world.admin.token });
  await machine.ok(["login", there.url], { stdin: there.world.admin.token });
  await makeDocs(here.world);
  const move = ["board", "move", "docs", "--to", there.url, "--server", here.url, "--yes"];
  return { here, there, machine, move };
}

/** So many messages are posted before the board moves, and so long may it take. */
const before = sized(50, 20_000);
const limitMs = sized(30_000, 600_000);

test(
  "a board moves while ten agents post: nothing that was acknowledged is lost or doubled",
  async () => {
    const { here, there, machine, move } = await twoServers();
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, at) => seatOnDocs(here.world, `agent-${at}`)),
    );
    const stored: string[] = [];
    const refused = new Set<string>();
    const state = { moving: true };
    const posting = agents.map(async (agent, at) => {
      for (let number = 1; state.moving; number++) {
        const body = `agent ${at}, message ${number}`;
        await post(agent, body).then(
          () => stored.push(body),
          ({ code }: { code: string }) => refused.add(code),
        );
      }
    });
    while (stored.length < before) await Bun.sleep(1);
    const began = performance.now();
    const { moved, seats } = await machine.json(move).finally(() => (state.moving = false));
    await Promise.all(posting);
    if (process.env["SHOW_FIGURES"])
      console.log(
        `${stored.length} messages, moved in ${((performance.now() - began) / 1000).toFixed(1)} s`,
      );
    expect(moved).toBe(true);
    expect(seats.map(({ agent }: { agent: string }) => agent).toSorted()).toEqual(
      agents.map((_, at) => `agent-${at}`),
    );
    expect([...refused].toSorted()).toEqual(["board_archived", "board_moved"]);
    const bodies: string[] = [];
    for (let after = 0; ;) {
      const { messages } = await there.world.admin.call("listMessages", {
        ...docs,
        query: { after, limit: 200 },
      });
      if (messages.length === 0) break;
      bodies.push(...messages.map(({ body }) => body));
      after = messages.at(-1)!.seq;
    }
    expect(bodies.toSorted()).toEqual(stored.toSorted());
    expect(await here.world.admin.call("getBoard", docs)).toMatchObject({
      lifecycle: "archived",
      moved_to: { server: there.url },
    });
    // The lines that it printed are seats there.
    const [{ agent, join_line }] = seats;
    await machine.ok(["join", join_line, "--name", agent]);
    await machine
      .ok(["say", "Here I am.", "--as", agent, "--board", "docs", "--server", there.url])
      .catch(() => undefined);
    // And the same command says where it is.
    expect((await machine.json(move)).moved).toBe(true);
  },
  limitMs,
);

test("what happens on the board while it moves keeps it here, and the copy there goes", async () => {
  const { here, there, machine, move } = await twoServers();
  const ben = await personOnDocs(here.world, "ben");
  here.between = async (request, answer) => {
    if (request.url.endsWith("/moved")) await ben.call("leaveBoard", docs);
    return answer();
  };
  expect(await machine.refusal(move)).toBe("board_head_changed");
  here.between = (_, answer) => answer();
  const kept = await here.world.admin.call("getBoard", docs);
  expect([kept.lifecycle, kept.moved_to]).toEqual(["active", undefined]);
  const { boards } = await there.world.admin.call("listBoards", { query: { lifecycle: "all" } });
  expect(boards).toEqual([]);
});

test("wishes that cannot come true are refused before the board is archived", async () => {
  const { here, there, machine, move } = await twoServers();
  const { head_seq } = await here.world.admin.call("getBoard", docs);
  for (const [wish, code, message] of [
    [["--person", "ana=ana"], "invalid_request", "ana=ana"],
    [["--name", "Bad name"], "invalid_request", "Bad name"],
    [["--person", "@zoe=@ana"], "person_not_on_board", "@zoe is not on board docs"],
    [["--person", "@ana=@zoe"], "person_not_found", `nobody called @zoe at ${there.url}`],
  ] as const) {
    const { error } = (await machine.run([...move, ...wish, "--json"])).json();
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  }
  expect((await here.world.admin.call("getBoard", docs)).head_seq).toBe(head_seq);
});

test("a board works here again where nobody knows whether it was archived, and a refusal of that changes nothing", async () => {
  const { here, there, machine, move } = await twoServers();
  here.between = async (request, answer) => {
    if (!request.url.endsWith("/archive")) return answer();
    await answer();
    return badGateway();
  };
  expect((await machine.run(move)).stderr).toContain("board docs works here again.");
  here.between = (_, answer) => answer();
  expect((await here.world.admin.call("getBoard", docs)).lifecycle).toBe("active");
  const ben = await personOnDocs(here.world, "ben");
  const other = newMachine();
  await other.ok(["login", here.url], { stdin: ben.token });
  await other.ok(["login", there.url], { stdin: there.world.admin.token });
  const refused = await other.run(move);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.not.stringContaining("Nothing was moved"),
  ]);
});

test("a refusal says that the board works here again, and what goes on has the wishes of before", async () => {
  const { here, there, machine, move } = await twoServers();
  await there.world.admin.call("createBoard", { body: { name: "taken" } });
  const refused = await machine.run([...move, "--name", "taken"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("board_name_taken");
  expect(refused.stderr).toContain("Nothing was moved: board docs works here again.");
  await here.world.admin.call("archiveBoard", docs);
  // As an interrupted run leaves it.
  const { stderr } = await machine.run([...move, "--name", "taken"]);
  expect(stderr).toContain("Nothing was moved: board docs stays archived here, as it was.");
  expect(stderr).toContain("board restore --board docs");
  here.between = async (request, answer) =>
    request.url.endsWith("/moved") ? badGateway() : answer();
  const { error } = (
    await machine.run([...move, "--name", "other", "--person", "@ana=@ana", "--json"])
  ).json();
  expect(error.code).toBe("uncertain");
  expect(error.hint).toContain(
    `board move docs --to ${there.url} --name other --person @ana=@ana --yes`,
  );
});

test.each(["request", "answer"] as const)(
  "whichever %s of a move is lost, the same command goes on, and a board that is not marked works here or says so",
  async (lost) => {
    const { here, there, machine, move } = await twoServers();
    const ben = await personOnDocs(here.world, "ben");
    await post(ben, "Before.");
    let failures = 0;
    for (let from = 1; ; from++) {
      let requests = 0;
      here.between = there.between = async (_, answer) => {
        if (++requests !== from) return answer();
        if (lost === "answer") await answer();
        return badGateway();
      };
      const { code } = await machine.run(move);
      here.between = there.between = (_, answer) => answer();
      if (code === 0) break;
      failures++;
      const { lifecycle } = await here.world.admin.call("getBoard", docs);
      if (lifecycle === "active") await post(ben, `After failure ${from}.`);
    }
    expect(failures).toBeGreaterThan(5);
    await expectMoved(here, there);
  },
  60_000,
);

test.each(["request", "answer"] as const)(
  "whichever %s the program is killed at, the same command goes on, and the board is at one place in the end",
  async (step) => {
    const { here, there, machine, move } = await twoServers();
    const ben = await personOnDocs(here.world, "ben");
    await post(ben, "Before.");
    let kills = 0;
    for (let from = 1; ; from++) {
      let requests = 0;
      const running = machine.asProcess.start(move);
      here.between = there.between = async (_, answer) => {
        if (++requests !== from) return answer();
        if (step === "answer") await answer();
        running.kill("SIGKILL");
        return badGateway();
      };
      const { code } = await running.end();
      here.between = there.between = (_, answer) => answer();
      if (code === 0) break;
      kills++;
      const { lifecycle } = await here.world.admin.call("getBoard", docs);
      if (lifecycle === "active") await post(ben, `After kill ${from}.`);
    }
    expect(kills).toBeGreaterThan(5);
    if (process.env["SHOW_FIGURES"]) console.log(`killed at ${kills} moments, at a ${step} each`);
    await expectMoved(here, there);
  },
  120_000,
);

/** The board there has the whole log up to the mark here, and is active. */
async function expectMoved(here: ClockedServer, there: ClockedServer): Promise<void> {
  const [own, theirs] = [await eventsOf(here.world.admin), await eventsOf(there.world.admin)];
  const at = own.findIndex(({ type }) => type === "board.moved");
  expect(at).toBeGreaterThan(0);
  expect(theirs.slice(0, at).map(({ hash }) => hash)).toEqual(
    own.slice(0, at).map(({ hash }) => hash),
  );
  expect((await there.world.admin.call("getBoard", docs)).lifecycle).toBe("active");
}

/** Whether a request is an import. */
const isImport = ({ url }: Request) => new URL(url).pathname === "/v1/boards/import";

test("where an import is running nobody knows whose it is, so the board waits here, and the same command goes on", async () => {
  const { here, there, machine, move } = await twoServers();
  there.between = async (request, answer) => {
    if (!isImport(request)) return answer();
    // The first try is answered into the void, and its repeat finds it running.
    await answer();
    const error = { code: "import_running", message: "Another board is imported.", hint: "Wait." };
    return Response.json({ error }, { status: 409 });
  };
  expect(await machine.refusal(move)).toBe("uncertain");
  expect((await here.world.admin.call("getBoard", docs)).lifecycle).toBe("archived");
  there.between = (_, answer) => answer();
  expect((await machine.json(move)).moved).toBe(true);
  expect((await there.world.admin.call("getBoard", docs)).lifecycle).toBe("active");
});

test("a move that is stopped while it sends leaves no archive behind, and the same command goes on", async () => {
  const { there, machine, move } = await twoServers();
  const leftIn = () => readdirSync(machine.home).filter((name) => name.startsWith("service-move-"));
  const env = { TMPDIR: machine.home };
  let sent: (() => void) | undefined;
  const sending = new Promise<void>((resolve) => (sent = resolve));
  there.between = async (request, answer) => {
    if (!isImport(request)) return answer();
    sent!();
    return new Promise(() => {});
  };
  const running = machine.asProcess.start(move, { env });
  await sending;
  expect(leftIn()).toHaveLength(1);
  running.kill("SIGINT");
  expect((await running.end()).code).toBe(130);
  expect(leftIn()).toEqual([]);
  there.between = (_, answer) => answer();
  expect((await machine.json(move)).moved).toBe(true);
});

test("who is no admin there is told so before the board is archived", async () => {
  const { here, there, move } = await twoServers();
  const bo = await there.world.person("bo");
  const machine = newMachine();
  await machine.ok(["login", here.url], { stdin: here.world.admin.token });
  await machine.ok(["login", there.url], { stdin: bo.token });
  const head = (await here.world.admin.call("getBoard", docs)).head_seq;
  expect(await machine.refusal(move)).toBe("server_admin_required");
  expect((await here.world.admin.call("getBoard", docs)).head_seq).toBe(head);
  const alias = here.url.replace("127.0.0.1", "localhost");
  const same = await machine.run(["board", "move", "docs", "--to", alias, "--server", here.url]);
  expect([same.code, same.stderr]).toEqual([2, expect.stringContaining("already")]);
});
