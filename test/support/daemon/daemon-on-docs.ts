import { afterAll } from "bun:test";
import { startDaemon, type RunningDaemon } from "../../../src/daemon/start-daemon.ts";
import type { Harness } from "../../../src/daemon/harnesses/harness.ts";
import { systemClock } from "../../../src/daemon/loop/clock.ts";
import {
  askDaemon,
  connectToDaemon,
  type DaemonConnection,
} from "../../../src/client/machine/daemon-client.ts";
import { handoffIn, type DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";
import type { Client } from "../../../src/client/client.ts";
import { makeDocs } from "../boards/docs-board.ts";
import { startWorld } from "../servers/server-in-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../wait-until.ts";

/** A server with the board docs, where ana has the agent writer, and a daemon with a harness that the test plays. */
export async function startDaemonOnDocs(change: Partial<Harness> = {}, clock = systemClock) {
  const world = await startWorld();
  await makeDocs(world);
  const seat = await world.seat(world.admin, "docs", { name: "writer" });
  const writer = { server: "local", board: "docs", name: "writer", member_id: seat.id };
  const tokens = new Map<string, Client>([[seat.id, seat]]);
  const state = temporaryFolder(async () => running?.stop());
  const machine = {
    folders: { config: state, data: state, state },
    system: { userId: process.getuid!(), homeFolder: () => state },
  };
  const rings: string[] = [];
  const logged: string[] = [];
  const gone = new Set<number>();
  const fake: Harness = {
    name: "fake",
    wakeBytes: 32 * 1024,
    contextBytes: 9_000,
    turnEndBundles: 7,
    silentTurnMs: 600_000,
    ring: (session) => void rings.push(session),
    ...change,
  };
  let running: RunningDaemon | null = null;
  let stops = 0;
  const start = async () => {
    running = await startDaemon({
      ...{ machine, pid: process.pid, build: { version: "0.0.0-test" }, harnesses: [fake] },
      ...{ clock, gatherMs: 0 },
      hasSeat: ({ member_id }) => tokens.has(member_id),
      clientOf: ({ member_id }) => {
        const client = tokens.get(member_id);
        if (!client) throw new Error("no token");
        return client;
      },
      render: (_, messages) => messages.map(({ seq, body }) => `#${seq} ${body}`).join("\n"),
      isRunning: ({ pid }) => !gone.has(pid),
      log: (line) => void logged.push(line),
      onStop: () => void stops++,
    });
    return running;
  };
  await start();
  const ask = (request: DaemonRequest) =>
    askDaemon(machine, { harness: "fake", session: "one", ...request });
  return {
    ...{ world, seat, writer, tokens, machine, rings, logged, gone, ask, start },
    stops: () => stops,
    stop: async () => running?.stop(),
    position: async () => (await seat.call("getInbox")).cursor,
    /** A session with a seat: registered and bound, and its stream is open. */
    async session(id = "one") {
      await ask({ op: "register", session: id });
      await ask({ op: "bind", session: id, agent: writer });
      await connected(ask);
    },
    /** The hook that a ring brings: gives the bundle, or null if there is none. */
    async answerRing(session = "one", says = true): Promise<Bundle | null> {
      const connection = await connectToDaemon(machine);
      afterAll(() => connection.close());
      connection.send({ op: "wait", harness: "fake", session });
      if ((await connection.next()).event !== "waiting") throw new Error("not waiting");
      const { event, bundle = "", handoff_id = "" } = await connection.next();
      if (event !== "deliver") return null;
      if (says) connection.send({ op: "received", harness: "fake", session, handoff_id });
      connection.close();
      return { text: bundle, id: handoff_id, connection };
    },
  };
}

interface Bundle {
  readonly text: string;
  readonly id: string;
  readonly connection: DaemonConnection;
}

type Daemon = Awaited<ReturnType<typeof startDaemonOnDocs>>;

async function connected(ask: Daemon["ask"]): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { status } = await ask({ op: "status" });
    if (status!.servers.length > 0 && status!.servers.every((one) => one.connected)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("the daemon did not connect");
}

/** Waits until a session has been rung since so many rings. */
export const rung = ({ rings }: Daemon, before = 0): Promise<void> =>
  until(() => rings.length > before, "a ring");

/** Plays the turn of a wake: the prompt with the bundle, and then its end. */
export async function wholeTurn({ ask }: Daemon, bundle: { text: string }, turn: string) {
  const handoff_id = handoffIn(bundle.text)!;
  await ask({ op: "turn_start", harness_turn: turn, handoff_id });
  await laterHook();
  await ask({ op: "turn_end", harness_turn: turn });
}

/** Lets a millisecond pass: a hook proves nothing that was handed in the millisecond of its start. */
export const laterHook = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

/** Waits until the server has moved the agent's read position to a message. */
export async function acknowledged({ position }: Daemon, seq: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await position()) >= seq) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${seq} was not acknowledged: the position is ${await position()}`);
}
