import { expect, test } from "bun:test";
import { makeDocs, post } from "../support/boards/docs-board.ts";
import { startDaemonOnDocs, type Daemon } from "../support/daemon/daemon-on-docs.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { untilTrue } from "../support/wait-until.ts";

const team = "https://team.example";

/** A session with two seats: on docs of the local server, and on the board of the same name of another server. */
async function startOnTwoServers(name = "scout") {
  const there = await startDaemonOnDocs();
  const other = await startWorld();
  await makeDocs(other);
  const seat = await other.seat(other.admin, "docs", { name });
  const scout = { server: team, board: "docs", name, member_id: seat.id };
  there.tokens.set(seat.id, seat);
  await there.session();
  await there.ask({ op: "bind", agent: scout });
  await there.connected();
  const setMode = (mode: "all" | "off") =>
    other.admin.call("setDeliveryMode", {
      params: { board: "docs", member: "scout" },
      body: { mode },
    });
  return { ...there, other, scout, setMode };
}

/** Asks until there is an answer. */
async function untilAnswer<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
  let answer: T | undefined;
  await untilTrue(async () => (answer = await ask()) !== undefined, what);
  return answer!;
}

/** Asks at tools of a turn until a notice comes. */
const noticeIn = ({ ask }: Daemon, turn: string): Promise<string> =>
  untilAnswer(async () => (await ask({ op: "boundary", harness_turn: turn })).notice, "a notice");

test("texts of a session with boards of one name on two servers name the server, and commands that work", async () => {
  const there = await startOnTwoServers();
  const { ask, other, setMode } = there;
  const helper = await other.seat(other.admin, "docs", { name: "helper" });
  await ask({ op: "turn_start", harness_turn: "t1" });
  const { seq } = await post(helper, { body: "Over here.", to: ["@scout"], expects_reply: true });
  expect(await noticeIn(there, "t1")).toBe(
    `<service-notice board="docs" waiting="1">1 waiting on docs at ${team}: #${seq} from helper (owner_agent); read them with /opt/service inbox --board docs --as scout</service-notice>`,
  );
  const { bundle } = await ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  expect(bundle).toContain(
    `\n\nFrom the server ${team}:\n<service-message board="docs" seat="scout" `,
  );
  expect(bundle).toContain(`/opt/service say --reply ${seq} "TEXT" --board docs --as scout`);
  await setMode("off");
  await setMode("all");
  const told = await untilAnswer(async () => {
    const turn = crypto.randomUUID();
    const text = (await ask({ op: "turn_start", harness_turn: turn })).bundle;
    return text?.includes("to all") ? text : undefined;
  }, "the changed mode");
  expect(told).toContain(`Your delivery mode on docs at ${team} was changed from `);
  const { note } = await ask({ op: "register", source: "compact" });
  expect(note!.split("\n")[0]).toContain(`writer on the board docs at local`);
  expect(note).toContain(`scout on the board docs at ${team}`);
  expect(note).toContain(`\ndocs at ${team}: Delivery mode: all.`);
});

test("commands in texts of a session whose agents have one name too choose the agent by its id", async () => {
  const there = await startOnTwoServers("writer");
  const { ask, other, scout } = there;
  const helper = await other.seat(other.admin, "docs", { name: "helper" });
  await ask({ op: "turn_start", harness_turn: "t1" });
  const { seq } = await post(helper, { body: "Here.", to: ["@writer"], expects_reply: true });
  expect(await noticeIn(there, "t1")).toContain(
    `/opt/service inbox --board docs --as ${scout.member_id}<`,
  );
  const { bundle } = await ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  expect(bundle).toContain(
    `/opt/service say --reply ${seq} "TEXT" --board docs --as ${scout.member_id}`,
  );
});

test("a session that has lost one of its seats is told which, and what it still has", async () => {
  const there = await startOnTwoServers();
  const { ask, scout, writer } = there;
  await ask({ op: "register", session: "two" });
  await ask({ op: "bind", session: "two", agent: scout });
  await ask({ op: "end" });
  const back = await ask({ op: "register", source: "resume" });
  expect(back).toMatchObject({ agents: [writer], lost: scout });
  expect(back.note).toContain("You are writer on the board docs.");
  expect(back.note).toContain(
    "Another session has taken the seat of scout on the board docs. To take it back: /opt/service resume scout --board docs",
  );
  // It has another seat on that board by now, which this one would replace.
  const second = await there.other.seat(there.other.admin, "docs", { name: "second" });
  there.tokens.set(second.id, second);
  const agent = { ...scout, name: "second", member_id: second.id };
  await ask({ op: "bind", agent });
  const again = await ask({ op: "register", source: "resume" });
  expect(again.lost).toBeUndefined();
  expect(again.agents).toEqual([agent, writer].toSorted((a, b) => (a.server < b.server ? -1 : 1)));
});

test("a seat that a session takes again has its mode told by the command, and no text tells it once more", async () => {
  const there = await startOnTwoServers();
  const { ask, scout, setMode } = there;
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_end", harness_turn: "t1" });
  await ask({ op: "register", session: "two" });
  await ask({ op: "bind", session: "two", agent: scout });
  await setMode("all");
  const modeOf = async () =>
    (await ask({ op: "agents", session: "two" })).seats!.find(({ name }) => name === "scout")!.mode;
  await untilTrue(async () => (await modeOf()) === "all", "the mode");
  await ask({ op: "bind", agent: scout });
  await there.connected();
  const { bundle } = await ask({ op: "turn_start", harness_turn: "t2" });
  expect(bundle).toBeUndefined();
});
