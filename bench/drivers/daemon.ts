import { mkdirSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { askDaemon, connectToDaemon } from "../../src/client/machine/daemon-client.ts";
import { bellFile } from "../../src/client/machine/daemon-files.ts";
import type { DaemonAgent, DaemonRequest } from "../../src/client/machine/daemon-wire.ts";
import { body } from "../raw.ts";
import { percentiles, type Percentiles } from "../stats.ts";
import { serveDriver } from "./driver.ts";
import { connect, openSocket, requestText } from "./http.ts";

/** Sessions of a home, each with one seat, and the token of one more seat whose inbox is read bare. */
export interface Sessions {
  home: string;
  port: number;
  agents: DaemonAgent[];
  bareToken: string;
}
/** Milliseconds from the sending of a post. */
export interface Handed {
  /** To the text in the hands of the session that was idle. */
  session: Percentiles;
  /** To the message on the bare stream of the same post. */
  stream: Percentiles;
}

const folders = { config: "", data: "", state: "" };
const machine = { folders, system: { userId: process.getuid!(), homeFolder: () => folders.state } };
const harness = "claude-code";
let port = 0;
let agents: DaemonAgent[] = [];
/** What waits for a bell, and for a message on the bare stream. */
const waiting: { bell(name: string): void; stream(): void } = { bell() {}, stream() {} };
const sessionOf = ({ member_id }: DaemonAgent) => `session-of-${member_id}`;
const ask = (agent: DaemonAgent, request: DaemonRequest) =>
  askDaemon(machine, { harness, session: sessionOf(agent), ...request });

/** Notes when each message comes on the inbox of the bare seat. */
async function readBare(token: string): Promise<void> {
  let rest = "";
  await openSocket(port, requestText(port, "GET", "/v1/me/inbox/stream", token), {
    data(bytes) {
      rest += bytes.toString("latin1");
      const end = rest.lastIndexOf("\n\n");
      if (end < 0) return;
      if (rest.includes("event: messages")) waiting.stream();
      rest = rest.slice(end + 2);
    },
    closed: () => {},
  });
}

/** What a hook does that a bell brings: asks for the text, and gives the time at which it has it. */
async function fetchText(agent: DaemonAgent): Promise<{ at: number; handoff_id: string } | null> {
  const connection = await connectToDaemon(machine);
  const named = { harness, session: sessionOf(agent) };
  connection.send({ op: "wait", ...named });
  await connection.next();
  const { event, handoff_id = "" } = await connection.next();
  const at = performance.now();
  if (event === "deliver") connection.send({ op: "received", ...named, handoff_id });
  connection.close();
  return event === "deliver" ? { at, handoff_id } : null;
}

/** Waits for the bell of a session until it has its text. */
async function handedTo(agent: DaemonAgent): Promise<{ at: number; handoff_id: string }> {
  const bell = basename(bellFile(folders, harness, sessionOf(agent)));
  for (;;) {
    await new Promise<void>((resolve) => {
      waiting.bell = (name) => name === bell && resolve();
    });
    const text = await fetchText(agent);
    if (text) return text;
  }
}

const handlers = {
  /** Opens every session. */
  async open(given: Sessions): Promise<void> {
    for (const name of ["config", "data", "state"] as const) folders[name] = join(given.home, name);
    ({ port, agents } = given);
    for (const agent of agents) {
      await ask(agent, { op: "register" });
      await ask(agent, { op: "bind", agent });
    }
    const bells = join(folders.state, "bells");
    mkdirSync(bells, { recursive: true, mode: 0o700 });
    watch(bells, (_, name) => waiting.bell(String(name)));
    await readBare(given.bareToken);
  },
  /** Posts to one session after the other, each when the one before has answered. */
  async post({ token, count }: { token: string; count: number }): Promise<Handed> {
    const connection = await connect(port);
    const times = { session: [] as number[], stream: [] as number[] };
    for (let number = 0; number < count; number++) {
      const agent = agents[number % agents.length]!;
      const path = `/v1/boards/${agent.board}/messages`;
      const text = JSON.stringify({ body, to: [`@${agent.name}`, "@bare"] });
      const handed = handedTo(agent);
      const streamed = new Promise<number>((resolve) => {
        waiting.stream = () => resolve(performance.now());
      });
      const at = performance.now();
      await connection.send(requestText(port, "POST", path, token, text));
      times.stream.push((await streamed) - at);
      const { at: handedAt, handoff_id } = await handed;
      times.session.push(handedAt - at);
      const harness_turn = `turn-${crypto.randomUUID()}`;
      await ask(agent, { op: "turn_start", harness_turn, handoff_id });
      await Bun.sleep(2);
      await ask(agent, { op: "turn_end", harness_turn });
    }
    connection.close();
    return { session: percentiles(times.session), stream: percentiles(times.stream) };
  },
};
/** What this driver is asked. */
export type DaemonRequests = typeof handlers;
serveDriver(handlers);
