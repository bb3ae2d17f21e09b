import { afterAll, expect, test } from "bun:test";
import { connectToDaemon } from "../../../src/client/machine/daemon-client.ts";
import { readSeats } from "../../../src/client/machine/seats.ts";
import { emptyRunCache } from "../../../src/client/machine/run-cache.ts";
import { newMachine, type Machine } from "../../support/commands/machine.ts";
import {
  hookOn,
  startSession,
  type PlayedSession,
} from "../../support/daemon/session-on-machine.ts";

const bodies = (messages: readonly { body: string }[]) => messages.map(({ body }) => body);

/** Says that the session of an agent has received messages, as a command does that has shown them. */
async function claim(machine: Machine, name: string, seqs: readonly number[]): Promise<void> {
  const connection = await connectToDaemon(hookOn(machine));
  afterAll(() => connection.close());
  const { folders } = hookOn(machine);
  const { token: _, ...agent } = readSeats({ folders, learned: emptyRunCache() }).find(
    (seat) => seat.name === name,
  )!;
  connection.send({ op: "inbox", agent });
  expect((await connection.next()).held).toBe(true);
  connection.send({ op: "claim", seqs });
  expect((await connection.next()).claimed).toEqual([...seqs]);
  connection.close();
}

/** A machine with the board docs, and a session there as each of these agents. */
async function sessionsOnDocs(...names: string[]) {
  const machine = newMachine();
  await machine.ok(["up"]);
  await machine.ok(["board", "new", "docs"]);
  const sessions = [];
  for (const name of names) {
    const session = await startSession(machine, `s-${name}`);
    await session.ok(["join", "--board", "docs", "--name", name]);
    sessions.push(session);
  }
  return { machine, sessions };
}

test("what the session has received is left out of its inbox, and acknowledged with the rest", async () => {
  const { machine, sessions } = await sessionsOnDocs("rex", "bea");
  const [rex, bea] = sessions as [PlayedSession, PlayedSession];
  await bea.ok(["say", "First", "--to", "@rex"]);
  const { message } = await bea.json(["say", "Second", "--to", "@rex"]);
  await claim(machine, "rex", [message.seq]);
  expect(bodies((await rex.json(["inbox", "--peek"])).messages)).toEqual(["First"]);
  expect((await rex.json(["say", "Hello", "--to", "@bea"])).unread).toMatchObject({ count: 1 });
  const read = await rex.json(["inbox"]);
  expect(bodies(read.messages)).toEqual(["First"]);
  expect(read.acked_up_to).toBe(message.seq);
  expect((await rex.json(["inbox"])).messages).toEqual([]);
  // Nothing of it comes again with the session's next turn.
  const turn = await rex.ask({ op: "turn_start", harness_turn: "t-1" });
  expect(turn.bundle ?? "").not.toContain("service-message");
});

test("a wait goes on past what the session has received", async () => {
  const { machine, sessions } = await sessionsOnDocs("rex", "bea");
  const [rex, bea] = sessions as [PlayedSession, PlayedSession];
  await bea.ok(["say", "First", "--to", "@rex"]);
  const { message } = await bea.json(["say", "Second", "--to", "@rex"]);
  await claim(machine, "rex", [message.seq - 1, message.seq]);
  const waiting = rex.json(["inbox", "--wait", "20"]);
  await bea.ok(["say", "Third", "--to", "@rex"]);
  expect(bodies((await waiting).messages)).toEqual(["Third"]);
});

test("a reply that a command has waited for does not come to the session again", async () => {
  const { sessions } = await sessionsOnDocs("rex", "bea");
  const [rex, bea] = sessions as [PlayedSession, PlayedSession];
  const asking = rex.start(["say", "Which one?", "--to", "@bea", "--wait-reply", "20", "--json"]);
  const waited = await bea.json(["inbox", "--wait", "20"]);
  await bea.ok(["say", "The first", "--reply", `${waited.messages[0].seq}`]);
  const { outcome, reply } = (await asking.end()).json();
  expect(outcome).toBe("reply");
  expect(reply.body).toBe("The first");
  const turn = await rex.ask({ op: "turn_start", harness_turn: "t-1" });
  expect(turn.bundle ?? "").not.toContain("The first");
  expect((await rex.json(["inbox"])).messages).toEqual([]);
});

test("a session with several seats gets what waits on each, with the commands for its board", async () => {
  const { machine, sessions } = await sessionsOnDocs("rex", "bea");
  const [rex, bea] = sessions as [PlayedSession, PlayedSession];
  await machine.ok(["board", "new", "code"]);
  await rex.ok(["join", "--board", "code", "--name", "coder"]);
  await bea.ok(["say", "On docs", "--to", "@rex", "--expect-reply"]);
  const waiting = await rex.json(["inbox", "--wait", "10"]);
  expect(
    waiting.seats.map(({ board, agent }: { board: string; agent: string }) => [board, agent]),
  ).toEqual([
    ["docs", "rex"],
    ["code", "coder"],
  ]);
  expect(bodies(waiting.seats[0].messages)).toEqual(["On docs"]);
  expect(waiting).toMatchObject({ unavailable: 0, seats: [{}, { messages: [] }] });
  expect(waiting.bundle).toContain('seat="rex"');
  expect(waiting.bundle).toContain("--board docs");
  expect((await rex.ok(["inbox"])).stdout).toBe("Nothing new on your boards.\n");
  await machine.ok(["say", "Both", "--me", "--board", "code"]);
  await machine.ok(["api", "removeAgent", "board=docs", "member=rex"]);
  const rest = await rex.json(["inbox"]);
  expect(rest).toMatchObject({ unavailable: 1, seats: [{ board: "code" }] });
  expect(bodies(rest.seats[0].messages)).toEqual(["Both"]);
  expect((await rex.json(["inbox", "--board", "code"])).agent).toBe("coder");
});
