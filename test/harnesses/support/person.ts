import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { askDaemon } from "../../../src/client/machine/daemon-client.ts";
import type { DaemonStatus } from "../../../src/client/machine/daemon-wire.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { service } from "./programs.ts";

/** An agent of the person, as the test sees it. */
export interface Agent {
  readonly name: string;
  readonly board: string;
  readonly token: string;
  /** How far the server says that it has read. */
  position(): Promise<number>;
}

/** A person with a home of their own: the built program's server and daemon, and the settings of their harnesses. */
export interface Person {
  readonly home: string;
  /** The folder that sessions work in. */
  readonly project: string;
  readonly env: Record<string, string>;
  /** Writes a file below the home folder. */
  write(path: string, content: string | object): void;
  /** Runs the built program in a terminal of the person's, and gives what it printed. Fails unless it succeeds. */
  service(words: readonly string[], env?: Record<string, string>): Promise<string>;
  /** What the daemon says of itself, or null while none runs. */
  daemon(): Promise<DaemonStatus | null>;
  /** Makes a board with the person's first agent on it. */
  pair(board: string, name: string): Promise<Agent>;
  /** Makes another agent on a board. */
  join(board: string, name: string): Promise<Agent>;
  /** The person's own client. */
  client(): Client;
  clientOf(agent: Agent): Client;
  /** Posts to a board as the person, and gives the number of the message. */
  post(board: string, body: string | object): Promise<number>;
  /** Waits until the daemon holds a message for the end of a turn. */
  queued(board: string, seq: number): Promise<void>;
  /** Waits until the daemon has told the server that an agent's turn is over. */
  idle(agent: Agent): Promise<void>;
}

/** A new person. What they started ends with the test. */
export function newPerson(): Person {
  const home = temporaryFolder(() => run(["down"]));
  const project = join(home, "work");
  mkdirSync(project);
  const env = {
    HOME: home,
    SERVICE_HOME: join(home, "service"),
    USER: "ana",
    PATH: process.env["PATH"]!,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
  };
  const config = join(env.SERVICE_HOME, "config");
  const state = join(env.SERVICE_HOME, "state");
  const data = join(env.SERVICE_HOME, "data");
  const machine = {
    folders: { config, data, state },
    system: { userId: process.getuid!(), homeFolder: () => home },
  };

  async function run(words: readonly string[], more: Record<string, string> = {}) {
    const child = Bun.spawn([service, ...words], {
      cwd: project,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { stdout, stderr, code };
  }
  const runWell: Person["service"] = async (words, more) => {
    const { stdout, stderr, code } = await run(words, more);
    if (code !== 0) throw new Error(`service ${words.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  const text = (path: string) => readFileSync(path, "utf8").trim();
  const clientWith = (token: string) =>
    createClient({ baseUrl: `http://${text(join(data, "server.addr"))}`, token });
  const client = () => clientWith(text(join(config, "owner-token")));
  const agentNamed = (board: string, name: string): Agent => {
    const seats = JSON.parse(text(join(config, "credentials.json"))) as Agent[];
    const seat = seats.find((one) => one.board === board && one.name === name)!;
    const position = async () => (await clientWith(seat.token).call("getInbox")).cursor;
    return { name, board, token: seat.token, position };
  };

  return {
    home,
    project,
    env,
    client,
    write(path, content) {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    },
    service: runWell,
    daemon: async () => {
      try {
        return (await askDaemon(machine, { op: "status" })).status ?? null;
      } catch {
        return null;
      }
    },
    async pair(board, name) {
      await runWell(["pair", "--board", board, "--name", name]);
      return agentNamed(board, name);
    },
    async join(board, name) {
      const input = { params: { board }, body: { role: "member" } };
      const { code } = await client().call("createJoinCode", input);
      await runWell(["join", code, "--name", name]);
      return agentNamed(board, name);
    },
    clientOf: ({ token }) => clientWith(token),
    async post(board, body) {
      const given = typeof body === "string" ? { body } : body;
      const input = { params: { board }, body: given as { body: string } };
      return (await client().call("postMessage", input)).seq;
    },
    async idle({ board, name }) {
      const presence = async () => {
        const { members } = await client().call("listMembers", { params: { board } });
        return members.find((one) => one.name === name)?.presence;
      };
      await eventually(presence, (now) => now === "idle", `the end of ${name}'s turn`);
    },
    async queued(board, seq) {
      const receipts = () => client().call("getReceipts", { params: { board, seq } });
      const isQueued = ({ recipients }: Awaited<ReturnType<typeof receipts>>) =>
        recipients.some(({ queued }) => queued?.boundary === "turn_end");
      await eventually(receipts, isQueued, `${seq} in the queue of a session`);
    },
  };
}

/** Waits until a condition holds, which is looked at again and again. Fails with what is then there. */
export async function eventually<T>(
  look: () => Promise<T> | T,
  isThere: (value: T) => boolean,
  what: string,
  milliseconds = 30_000,
): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    if (performance.now() > end)
      throw new Error(`waited in vain for ${what}: ${JSON.stringify(value)}`);
    await Bun.sleep(20);
  }
}
