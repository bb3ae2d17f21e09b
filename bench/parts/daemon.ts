import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DaemonRequests, Handed } from "../drivers/daemon.ts";
import { startDriver } from "../drivers/driver.ts";
import { alone, atMost, compared, type Row, type Section } from "../figures.ts";
import { residentBytes, start, stop } from "../processes.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { executable, serviceEnvironment, startService } from "../service.ts";
import { alternate, type Context } from "./part.ts";

/** What a daemon needs while nothing happens, in so many seconds. */
interface Idle {
  /** Share of a core, in percent. */
  cpu: number;
  megabytes: number;
  /** How often one of its threads woke in a second. */
  wakes: number;
}
interface Measured extends Handed {
  idle: Idle;
}

const board = "general";
const idleSeconds = 20;
const counts = [1, 250];

/** How long a message takes into an idle session, and what a daemon costs that waits. */
export async function measureDaemon(context: Context): Promise<Section> {
  const runs = await alternate(context.runs, async () => {
    const byCount: Measured[] = [];
    for (const count of counts) byCount.push(await daemonOf(context, count));
    return byCount;
  });
  return {
    title: "Delivery into sessions",
    definitions: [
      "To a session: from the sending of a post to the text in the hands of an idle Claude Code session, played over the daemon's socket: the daemon reads the message from its stream, rings the bell, and hands to the hook that asks. Gathering is off. Posts go to one session after the other.",
      "Beside it the bare stream: the same post on the inbox stream of another agent, read over a raw socket by the same process.",
      `Idle: the daemon with so many open sessions and streams, over ${idleSeconds} seconds in which nothing is posted.`,
    ],
    rows: counts.flatMap((count, i) =>
      rowsOf(
        count,
        runs.map((run) => run[i]!),
      ),
    ),
  };
}

function rowsOf(count: number, runs: Measured[]): Row[] {
  const name = `${count} ${count === 1 ? "seat" : "seats"}`;
  const series = (what: string, of: (run: Measured) => number) => ({ what, values: runs.map(of) });
  const isTarget = count === 250;
  const most = (bound: number) => (isTarget ? { target: atMost(bound, "value") } : {});
  return [
    ...(["p50", "p99"] as const).map((share) =>
      compared(
        "ms",
        series(`${name}: post to session ${share}`, ({ session }) => session[share]),
        series(`bare stream ${share}`, ({ stream }) => stream[share]),
        { target: atMost(3) },
      ),
    ),
    alone(
      "%",
      series(`${name}: idle, share of a core`, ({ idle }) => idle.cpu),
      most(1),
    ),
    alone(
      "MB",
      series(`${name}: idle memory`, ({ idle }) => idle.megabytes),
      most(100),
    ),
    alone(
      "/s",
      series(`${name}: idle, wake-ups of its threads`, ({ idle }) => idle.wakes),
    ),
  ];
}

async function daemonOf({ scratch, seconds }: Context, count: number): Promise<Measured> {
  const home = folderIn(scratch, "daemon");
  const service = await startService(home);
  await service.client.call("createBoard", { body: { name: board } });
  const joined = async (name: string) => {
    const { agent, token } = await service.client.call("join", {
      body: { board, role: "member", name },
    });
    return { server: "local", board, name, member_id: agent.id, token };
  };
  const seats = [];
  for (let number = 1; number <= count; number++) seats.push(await joined(`agent-${number}`));
  const bare = await joined("bare");
  writeFileSync(join(home, "config", "credentials.json"), JSON.stringify(seats), { mode: 0o600 });
  const daemon = start([executable, "daemon"], {
    env: { ...serviceEnvironment(home, service.port), USER: "writer", SERVICE_GATHER_MS: "0" },
    log: join(home, "daemon.log"),
  });
  const driver = startDriver<DaemonRequests>("daemon.ts");
  const agents = seats.map(({ token: _, ...agent }) => agent);
  await Bun.sleep(1_000);
  await driver.ask("open", { home, port: service.port, agents, bareToken: bare.token });
  const posts = { token: service.token, count: 20 };
  await driver.ask("post", posts);
  const handed = await driver.ask("post", { ...posts, count: Math.max(250, seconds * 100) });
  const idle = await idleOf(daemon.pid);
  await driver.stop();
  await stop(daemon);
  await service.stop();
  removeFolder(home);
  return { ...handed, idle };
}

async function idleOf(pid: number): Promise<Idle> {
  await Bun.sleep(3_000);
  const before = spentBy(pid);
  await Bun.sleep(idleSeconds * 1_000);
  const after = spentBy(pid);
  return {
    cpu: (100 * (after.seconds - before.seconds)) / idleSeconds,
    megabytes: residentBytes(pid) / 1e6,
    wakes: wokenSince(before.wakes, after.wakes) / idleSeconds,
  };
}

/** How often the threads woke that are still there. */
const wokenSince = (before: Map<string, number>, after: Map<string, number>): number =>
  [...after].reduce((sum, [thread, count]) => sum + count - (before.get(thread) ?? 0), 0);

/** The processor's time that a process has had, and how often each of its threads woke. */
function spentBy(pid: number): { seconds: number; wakes: Map<string, number> } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The ticks of a hundredth of a second, its own and the system's for it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const wakes = readdirSync(`/proc/${pid}/task`).map((thread): [string, number] => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
    return [thread, Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])];
  });
  return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, wakes: new Map(wakes) };
}
