import { expect, test } from "bun:test";
import { askDaemon, connectToDaemon } from "../../src/client/machine/daemon-client.ts";
import type { DaemonAnswer, DaemonRequest } from "../../src/client/machine/daemon-wire.ts";
import { startProcesses } from "../support/daemon/daemon-process.ts";
import { drawing, hearBells, playSession } from "../support/daemon/random-session.ts";
import { seed, timesMore } from "../support/tries.ts";

const isLong = timesMore(1) > 1;
const [messages, sessions, kills] = isLong ? [100_000, 20, 150] : [2_000, 8, 6];
const board = "docs";
const writers = 8;

test(
  `${messages} messages reach ${sessions} sessions while daemon, server and sessions are killed`,
  async () => {
    const there = await startProcesses(20);
    const { owner, server, machine } = there;
    const draw = drawing(seed);
    await owner.call("createBoard", { body: { name: board } });
    const join = async (name: string) => {
      const { agent, token } = await owner.call("join", { body: { board, role: "member", name } });
      return { board, name, member_id: agent.id, token };
    };
    const seats: Awaited<ReturnType<typeof join>>[] = [];
    for (let number = 0; number < sessions; number++) seats.push(await join(`agent-${number}`));
    const colleague = await join("colleague");
    const daemon = there.daemon(seats);
    await daemon.up;

    /** The last message to each seat, how often each was read in a turn that was answered, and how often it was to be. */
    const last = new Map<string, number>();
    const answered = new Uint16Array(messages);
    const state = { isOver: false, posted: 0, duplicates: 0, distinct: 0, kills: 0 };
    const bells = hearBells(machine);
    const players = seats.map(({ token: _, ...seat }) =>
      playSession({
        machine,
        bells,
        draw,
        session: `session-of-${seat.name}`,
        agent: { server: "local", ...seat },
        daemonUp: () => daemon.up,
        isOver: () => state.isOver,
        onAnswered(text) {
          for (const [, to, number] of text.matchAll(/for:(\S+) number:(\d+)\./g)) {
            if (to !== seat.name) throw new Error(`${seat.name} has a message for ${to}`);
            if (answered[Number(number)]!++ > 0) state.duplicates++;
            else state.distinct++;
          }
        },
      }),
    );

    async function write(): Promise<void> {
      const clients = [owner, there.as(colleague.token)];
      while (state.posted < messages) {
        const number = state.posted++;
        const { name } = seats[Math.floor(draw() * sessions)]!;
        const body = { body: `for:${name} number:${number}.`, to: [`@${name}`] };
        const client = clients[number % 2]!;
        for (;;)
          try {
            const options = { idempotencyKey: `number-${number}` };
            const given = { params: { board }, body } as const;
            const { seq } = await client.call("postMessage", given, options);
            last.set(name, Math.max(last.get(name) ?? 0, seq));
            break;
          } catch {
            await server.up;
            await Bun.sleep(10);
          }
      }
    }
    async function killAtRandom(): Promise<void> {
      while (state.kills < kills && state.distinct < messages) {
        // They are spread over the whole run, as far as it has got.
        if (state.distinct / messages < state.kills / (kills + 1)) {
          await Bun.sleep(10);
          continue;
        }
        state.kills++;
        const pause = draw() * 300;
        await (draw() < 0.7 ? daemon : server).kill(pause);
      }
    }
    const positionOf = async (token: string): Promise<number> => {
      const { cursor } = await there.as(token).call("getInbox", { query: { limit: 1 } });
      return cursor;
    };
    async function allAcknowledged(): Promise<void> {
      for (const { name, token } of seats)
        while ((await positionOf(token).catch(() => 0)) < (last.get(name) ?? 0))
          await Bun.sleep(50);
    }

    const began = performance.now();
    const progress = setInterval(() => console.log(JSON.stringify(state)), 60_000);
    const ended = Promise.all(players);
    const work = async () => {
      await Promise.all([...Array.from({ length: writers }, write), killAtRandom()]);
      await allAcknowledged();
    };
    await Promise.race([work(), ended]);
    clearInterval(progress);
    state.isOver = true;
    await ended;
    const seconds = Math.round((performance.now() - began) / 1000);
    const lost = answered.reduce((count, times) => count + Number(times === 0), 0);
    console.log(
      `${messages} messages, ${state.kills} kills, ${seconds} s: ${lost} lost, ${state.duplicates} read twice or more`,
    );
    await there.stop();
    bells.stop();
    expect(lost).toBe(0);
  },
  timesMore(120_000),
);

test("a daemon that is killed with a bundle on its way hands it again, and acknowledges it after its turn", async () => {
  const there = await startProcesses(0);
  const { owner, machine } = there;
  await owner.call("createBoard", { body: { name: board } });
  const body = { board, role: "member", name: "agent" };
  const { agent, token } = await owner.call("join", { body });
  const seat = { board, name: "agent", member_id: agent.id, token };
  const daemon = there.daemon([seat]);
  await daemon.up;
  const session = { harness: "claude-code", session: "one" };
  const ask = (request: DaemonRequest) => askDaemon(machine, { ...session, ...request });
  const { token: _, ...named } = seat;
  await ask({ op: "register" });
  await ask({ op: "bind", agent: { server: "local", ...named } });
  const { seq } = await owner.call("postMessage", {
    params: { board },
    body: { body: "Keep this.", to: ["@agent"] },
  });
  const handed = async (): Promise<DaemonAnswer> => {
    for (;;) {
      const connection = await connectToDaemon(machine);
      connection.send({ op: "wait", ...session });
      await connection.next();
      const answer = await connection.next();
      if (answer.event === "deliver") {
        connection.send({ op: "received", ...session, handoff_id: answer.handoff_id });
        return answer;
      }
      await Bun.sleep(5);
    }
  };
  const first = await handed();
  await daemon.kill(0);
  const position = async () => (await there.as(token).call("getInbox")).cursor;
  expect(await position()).toBeLessThan(seq);
  const second = await handed();
  expect(second.handoff_id).not.toBe(first.handoff_id);
  expect(second.bundle).toContain("Keep this.");
  await ask({ op: "turn_start", harness_turn: "t1", handoff_id: second.handoff_id! });
  await Bun.sleep(2);
  expect(await position()).toBeLessThan(seq);
  await ask({ op: "turn_end", harness_turn: "t1" });
  while ((await position()) < seq) await Bun.sleep(5);
  await there.stop();
}, 30_000);
