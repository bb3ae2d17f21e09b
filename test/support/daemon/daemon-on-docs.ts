import { afterAll } from "bun:test";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { startDaemon, type RunningDaemon } from "../../../src/daemon/start-daemon.ts";
import type { Harness } from "../../../src/daemon/harnesses/harness.ts";
import { claudeCodeProfile } from "../../../src/client/harnesses/claude-code.ts";
import type { HarnessProfile } from "../../../src/client/harnesses/profile.ts";
import { systemClock, type Clock } from "../../../src/daemon/loop/clock.ts";
import type { DaemonOptions } from "../../../src/daemon/sessions/held/daemon-options.ts";
import {
  askDaemon,
  connectToDaemon,
  type DaemonConnection,
} from "../../../src/client/machine/daemon-client.ts";
import { SeatForgotten, type Seat } from "../../../src/client/machine/seats.ts";
import { handoffIn, type DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";
import type { Client } from "../../../src/client/client.ts";
import { makeDocs } from "../boards/docs-board.ts";
import { startWorld } from "../servers/server-in-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../wait-until.ts";

/** What a test changes of the daemon. */
interface Changes extends Partial<DaemonOptions> {
  /** Gives the client that the daemon gets. */
  readonly changeClient?: (client: Client) => Client;
}

/** A server with the board docs, where ana has the agent writer, and a daemon with a harness that the test plays. */
export async function startDaemonOnDocs(
  change: Partial<HarnessProfile["delivery"]> = {},
  clock: Clock = systemClock,
  adapter: Partial<Harness> = {},
  { gatherMs = 0, changeClient = (client: Client) => client, ...more }: Changes = {},
  /** What lies between the daemon and the server in the requests of the person and their delegations. */
  between = (_: string, client: Client): Client => client,
) {
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
  const person = { key: world.admin.token as string | null };
  const saved: Seat[] = [];
  const disk = { isFull: false };
  const rings: string[] = [];
  const logged: string[] = [];
  const gone = new Set<number>();
  /** The ids of seats whose token this machine has no more. */
  const forgotten = new Set<string>();
  /** What the daemon has read from its streams: the member's id and the number of each message. */
  const fed = new Set<string>();
  const { profile = claudeCodeProfile } = adapter;
  const fake: Harness = {
    wake: { kind: "bell", ring: (session) => void rings.push(session) },
    ...adapter,
    profile: {
      ...profile,
      harness: "fake",
      delivery: { ...profile.delivery, ...change },
    },
  };
  let running: RunningDaemon | null = null;
  let stops = 0;
  let streams = 0;
  const start = async () => {
    running = await startDaemon({
      machine,
      pid: process.pid,
      build: { version: "0.0.0-test" },
      harnesses: [fake],
      clock,
      gatherMs,
      hasSeat: ({ member_id }) => tokens.has(member_id),
      clientOf: ({ member_id }) => {
        if (forgotten.has(member_id)) throw new SeatForgotten("writer");
        const client = tokens.get(member_id);
        if (!client) throw new Error("no token");
        return noting(
          changeClient(client),
          () => void streams++,
          (seq) => fed.add(`${member_id} ${seq}`),
        );
      },
      typed: (words) => `/opt/service ${words}`,
      personAt: (server) =>
        server === "local" && person.key !== null
          ? { key: person.key, clientWith: (token) => between(token, world.as(token)) }
          : null,
      saveSeat(seat) {
        if (disk.isFull) throw new Error("the disk is full");
        saved.push(seat);
        tokens.set(seat.member_id, world.as(seat.token));
      },
      isRunning: ({ pid }) => !gone.has(pid),
      log: (line) => void logged.push(line),
      onStop: () => void stops++,
      ...more,
    });
    return running;
  };
  await start();
  const ask = (request: DaemonRequest) =>
    askDaemon(machine, { harness: "fake", session: "one", ...request });
  return {
    world,
    seat,
    writer,
    tokens,
    machine,
    rings,
    logged,
    gone,
    forgotten,
    ask,
    start,
    person,
    saved,
    disk,
    stops: () => stops,
    /** How many streams the daemon has opened. */
    streams: () => streams,
    /** Waits until the daemon has read a message from the stream of a seat. */
    has: (seq: number, { member_id } = writer) =>
      until(() => fed.has(`${member_id} ${seq}`), `the daemon to read ${seq}`),
    stop: async () => running?.stop(),
    /** The next daemon starts with a copy of the journal as it is on the disk now. */
    copyJournal() {
      const next = temporaryFolder();
      for (const file of ["delivery.db", "delivery.db-wal"])
        if (existsSync(join(machine.folders.state, file)))
          cpSync(join(machine.folders.state, file), join(next, file));
      machine.folders = { config: next, data: next, state: next };
    },
    position: async () => (await seat.call("getInbox")).cursor,
    /** Waits until every stream is open. */
    connected: () => connected(ask),
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

/** A client that notes each message once its reader has taken it from the stream. */
const noting = (client: Client, begin: () => void, note: (seq: number) => void): Client => ({
  ...client,
  follow: async function* (...given: Parameters<Client["follow"]>) {
    begin();
    for await (const one of client.follow(...given)) {
      yield one;
      const { messages = [] } = one.data as { messages?: { seq: number }[] };
      for (const { seq } of messages) note(seq);
    }
  } as Client["follow"],
});

interface Bundle {
  readonly text: string;
  readonly id: string;
  readonly connection: DaemonConnection;
}

/** A daemon that a test has started. */
export type Daemon = Awaited<ReturnType<typeof startDaemonOnDocs>>;

async function connected(
  ask: (request: DaemonRequest) => ReturnType<typeof askDaemon>,
): Promise<void> {
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
export async function acknowledged(
  { position }: Pick<Daemon, "position">,
  seq: number,
): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await position()) >= seq) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${seq} was not acknowledged: the position is ${await position()}`);
}
