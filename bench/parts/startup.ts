import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, compared, type Section } from "../figures.ts";
import { firstAnswer, freePort, residentBytes, start, stop } from "../processes.ts";
import { profileOfCommand, profileOfLoad } from "../profile.ts";
import { folderIn, readAnew, removeFolder } from "../scratch.ts";
import { executable, serviceEnvironment, startService } from "../service.ts";
import { median } from "../stats.ts";
import { makeDesk, post, type Desk } from "../world.ts";
import { alternate, type Context } from "./part.ts";

/** Milliseconds, and megabytes of resident memory. */
interface Startup {
  version: number;
  bareVersion: number;
  serve: number;
  firstServe: number;
  bareServe: number;
  withPage: number;
  withoutPage: number;
  say: number;
  curl: number;
  hook: number;
  besideHook: number;
  idle: number;
  bareIdle: number;
}

const starts = 10;

/** How long the executable takes to start, and what it holds when nothing happens, beside bare programs. */
export async function measureStartup(context: Context): Promise<Section> {
  const runs = await alternate(context.runs, () => startupOnce(context));
  const series = (what: string, of: keyof Startup) => ({
    what,
    values: runs.map((run) => run[of]),
  });
  return {
    title: "Start and memory",
    definitions: [
      `Each figure of a run is the median of ${starts} starts, own and bare in turn. Bare programs are compiled with the same flags.`,
      "Before a run the file of every program is read into memory anew: how it lay there, by who wrote it and when, changed a start by a tenth.",
      "`version`: from the start of the process to its end, beside a compiled `console.log`.",
      "`serve`: from the start of the process to the first 200 of `GET /v1/info`, on a folder that has a database; beside a compiled bare Elysia and the first 200 of its `GET /`. The first start makes the folder's contents.",
      "Without the page: the same start, of a build that leaves the board view out, in turn with the usual one.",
      "`say`: `dist/service say` from start to end, an agent's message on a running server; beside `curl` that posts the same.",
      "`hook`: the hook that Claude Code runs when a turn begins, with a daemon that answers; beside `version` in turn with it.",
      "Idle memory: the server's resident memory five seconds after its first answer, before any other request.",
    ],
    rows: [
      compared("ms", series("service version", "version"), series("bare program", "bareVersion"), {
        target: atMost(1.8),
        profile: profileOfCommand("service version", ["version"]),
      }),
      compared(
        "ms",
        series("service serve, first answer", "serve"),
        series("bare Elysia", "bareServe"),
        {
          target: atMost(2.2),
          profile: profileOfLoad("start of the server", () => Promise.resolve()),
        },
      ),
      compared("ms", series("very first start", "firstServe"), series("bare Elysia", "bareServe")),
      compared("ms", series("first answer", "withPage"), series("without the page", "withoutPage")),
      compared("ms", series("service say", "say"), series("curl", "curl"), {
        target: atMost(1.7),
        profile: profileOfCommand("service say, no server", ["say", post.body]),
      }),
      compared("ms", series("service hook", "hook"), series("service version", "besideHook"), {
        target: atMost(1.5),
        profile: profileOfCommand("service version", ["version"]),
      }),
      compared("MB", series("idle memory", "idle"), series("bare Elysia", "bareIdle"), {
        target: atMost(60, "value"),
      }),
    ],
  };
}

async function startupOnce(context: Context): Promise<Startup> {
  const { bareProgram, echoProgram, programWithoutPage } = context;
  for (const program of [executable, bareProgram, echoProgram, programWithoutPage])
    await readAnew(program);
  const folder = folderIn(context.scratch, "startup");
  const [version, bareVersion] = await inTurn(
    () => timeOf([executable, "version"]),
    () => timeOf([context.bareProgram]),
  );
  const posting = await sayAndCurl(folder);
  const hooks = await hookAndVersion(folder);
  const [serve, bareServe] = await inTurn(
    () => answerTime([executable, "serve"], folder),
    () => bareAnswerTime(context),
  );
  const [withPage, withoutPage] = await inTurn(
    () => answerTime([executable, "serve"], folder),
    () => answerTime([context.programWithoutPage, "serve"], folder),
  );
  const firstServe = await medianOf(3, () => firstAnswerTime(context));
  const idle = await idleMemory(context, folder);
  removeFolder(folder);
  return {
    version,
    bareVersion,
    firstServe,
    serve,
    bareServe,
    withPage,
    withoutPage,
    ...posting,
    ...hooks,
    ...idle,
  };
}

async function medianOf(times: number, measure: () => Promise<number>): Promise<number> {
  return median(await alternate(times, measure));
}

/** The medians of two measurements that take turns. */
async function inTurn(
  own: () => Promise<number>,
  other: () => Promise<number>,
): Promise<[number, number]> {
  const pairs = await alternate(starts, async () => [await own(), await other()] as const);
  return [median(pairs.map(([first]) => first)), median(pairs.map(([, second]) => second))];
}

/** The hook that Claude Code runs when a turn begins, with a daemon that answers, and beside it the shortest command. */
export async function hookAndVersion(
  folder: string,
): Promise<Pick<Startup, "hook" | "besideHook">> {
  const env = serviceEnvironment(folder, freePort());
  const run = (words: string[], input?: object) =>
    timeOf([executable, ...words], env, input && JSON.stringify(input));
  const runHook = (event: string, name: string) =>
    run(["hook", "claude-code", name], {
      session_id: "5e55",
      hook_event_name: event,
      cwd: folder,
      source: "startup",
      prompt_id: "p1",
      prompt: "Hello.",
    });
  await run(["daemon", "start"]);
  try {
    await runHook("SessionStart", "session-start");
    const [hook, besideHook] = await inTurn(
      () => runHook("UserPromptSubmit", "prompt"),
      () => run(["version"]),
    );
    return { hook, besideHook };
  } finally {
    await run(["down"]);
  }
}

/** Milliseconds from a process's start to its end. Refuses one that fails. */
export async function timeOf(
  command: string[],
  env?: Record<string, string>,
  input = "",
): Promise<number> {
  const before = performance.now();
  const stdin = input === "" ? "ignore" : Buffer.from(input);
  const child = Bun.spawn(command, { ...(env && { env }), stdio: [stdin, "ignore", "pipe"] });
  const code = await child.exited;
  const elapsed = performance.now() - before;
  if (code !== 0)
    throw new Error(
      `${command.slice(0, 2).join(" ")} ended with ${code}: ${await new Response(child.stderr).text()}`,
    );
  return elapsed;
}

async function sayAndCurl(folder: string): Promise<Pick<Startup, "say" | "curl">> {
  const service = await startService(folder);
  const desk = await makeDesk(service);
  saveSeat(folder, desk);
  const [say, curl] = await inTurn(
    () =>
      timeOf(
        [executable, "say", post.body, "--as", "reader"],
        serviceEnvironment(folder, service.port),
      ),
    () => timeOf(curlCommand(desk)),
  );
  await service.stop();
  return { say, curl };
}

/** Saves the desk's agent where the command line looks for its seats. */
export function saveSeat(home: string, { board, agentId, agentToken }: Desk): void {
  const seat = { server: "local", board, name: "reader", member_id: agentId, token: agentToken };
  const file = join(home, "config", "credentials.json");
  writeFileSync(file, JSON.stringify([seat]), { mode: 0o600 });
}

const curlCommand = ({ url, agentToken }: Desk) => [
  "curl",
  "--silent",
  "--show-error",
  "--fail",
  "--output",
  "/dev/null",
  url,
  "--header",
  `Authorization: Bearer ${agentToken}`,
  "--header",
  "Content-Type: application/json",
  "--data",
  JSON.stringify({ body: post.body }),
];

/** Milliseconds from the start of a server to its first answer. */
export async function answerTime(command: string[], folder: string): Promise<number> {
  const port = freePort();
  const before = performance.now();
  const server = start(command, {
    env: serviceEnvironment(folder, port),
    log: join(folder, "log"),
  });
  const elapsed = await firstAnswer(`http://127.0.0.1:${port}/v1/info`, before, server);
  await stop(server);
  return elapsed;
}

async function firstAnswerTime({ scratch }: Context): Promise<number> {
  const folder = folderIn(scratch, "first");
  const elapsed = await answerTime([executable, "serve"], folder);
  removeFolder(folder);
  return elapsed;
}

async function bareAnswerTime({ echoProgram }: Context): Promise<number> {
  const port = freePort();
  const before = performance.now();
  const bare = start([echoProgram, String(port)]);
  const elapsed = await firstAnswer(`http://127.0.0.1:${port}/`, before, bare);
  await stop(bare);
  return elapsed;
}

/** Resident memory of both servers, in MB, when they have done nothing for five seconds. */
async function idleMemory(
  { echoProgram }: Context,
  folder: string,
): Promise<Pick<Startup, "idle" | "bareIdle">> {
  const service = await startService(folder);
  const port = freePort();
  const bare = start([echoProgram, String(port)]);
  await firstAnswer(`http://127.0.0.1:${port}/`, performance.now(), bare);
  await Bun.sleep(5000);
  const idle = residentBytes(service.pid) / 1e6;
  const bareIdle = residentBytes(bare.pid) / 1e6;
  await Promise.all([service.stop(), stop(bare)]);
  return { idle, bareIdle };
}
