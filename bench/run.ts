import { existsSync, statSync, writeFileSync } from "node:fs";
import { buildWithoutPage, compile } from "./compile.ts";
import { verdictOf, type Section } from "./figures.ts";
import { describeMachine, measureSteal } from "./machine.ts";
import { partNames, readOptions, type Options, type PartName } from "./options.ts";
import { measureBackup } from "./parts/backup.ts";
import { measureDaemon } from "./parts/daemon.ts";
import { measureGrowth } from "./parts/growth.ts";
import { measureInboxes } from "./parts/inboxes.ts";
import { measureLadder, type LadderSection } from "./parts/ladder.ts";
import type { Context, Part } from "./parts/part.ts";
import { measurePage } from "./parts/page.ts";
import { measurePeers, requirePeers } from "./parts/peers.ts";
import { measurePosts } from "./parts/posts.ts";
import { measureReads } from "./parts/reads.ts";
import { measureStartup } from "./parts/startup.ts";
import { measureStreams } from "./parts/streams.ts";
import { measureWork } from "./parts/work.ts";
import { plotLadder } from "./plot.ts";
import { openFilesMost, stopAll } from "./processes.ts";
import { resultsPage, terminalText, type Results } from "./report.ts";
import { makeScratch, removeFolder } from "./scratch.ts";
import { executable } from "./service.ts";
import { wrkVersion } from "./wrk.ts";

const parts: Record<PartName, Part> = {
  posts: measurePosts,
  reads: measureReads,
  streams: measureStreams,
  inboxes: measureInboxes,
  ladder: measureLadder,
  growth: measureGrowth,
  work: measureWork,
  backup: measureBackup,
  startup: measureStartup,
  daemon: measureDaemon,
  page: measurePage,
  peers: measurePeers,
};

/** Measures the parts asked for, prints each as it ends, and publishes a whole run. */
async function run(options: Options, scratch: string): Promise<void> {
  const started = performance.now();
  const machine = describeMachine(scratch);
  const stolen = measureSteal();
  const bareProgram = await compile("bare.ts", scratch);
  const echoProgram = await compile("echo.ts", scratch);
  const programWithoutPage = await buildWithoutPage(scratch);
  const programs = { bareProgram, echoProgram, programWithoutPage };
  const context: Context = { ...options, scratch, ...programs };
  const sections: Section[] = [];
  for (const name of options.parts) {
    const section = await parts[name](context);
    sections.push(section);
    console.log(`\n${terminalText(section)}`);
  }
  const whole = !options.quick && partNames.every((name) => options.parts.includes(name));
  const { runs } = options;
  const results = (profiles: Results["profiles"]): Results => ({
    machine: [...machine, stolenShare(stolen())],
    runs,
    minutes: (performance.now() - started) / 60_000,
    sections,
    profiles,
  });
  // What was measured is published before the profiles are taken, whatever becomes of those.
  if (whole) publish(results([]));
  const profiles = await profilesOf(sections, scratch);
  const { minutes, machine: described } = results(profiles);
  console.log(`\n${minutes.toFixed(1)} minutes, ${described.at(-1)!.join(": ")}`);
  if (whole) publish(results(profiles));
}

const stolenShare = (percent: number): [string, string] => [
  "processor time that the host gave to others",
  `${percent.toFixed(2)} %`,
];

/** One profile for each work of which a target was missed. */
async function profilesOf(sections: Section[], scratch: string): Promise<Results["profiles"]> {
  const missed = sections.flatMap(({ rows }) => rows).filter((row) => verdictOf(row) === "MISSED");
  const wanted = new Map(
    missed.flatMap(({ profile }) => (profile ? [[profile.name, profile]] : [])),
  );
  const profiles = [];
  for (const { name, take } of wanted.values()) {
    // What was measured is published without it.
    const text = await take(scratch).catch((error: Error) => `Not taken: ${error.message}`);
    profiles.push({ name, text });
  }
  for (const { name, text } of profiles) console.log(`\nProfile: ${name}\n\n${text}`);
  return profiles;
}

function publish(results: Results): void {
  const file = (name: string) => new URL(name, import.meta.url).pathname;
  const ladder = results.sections.find((section): section is LadderSection => "rungs" in section);
  if (ladder) writeFileSync(file("ladder.svg"), plotLadder(ladder.rungs));
  writeFileSync(file("RESULTS.md"), resultsPage(results));
  // As `npm run check` wants it.
  Bun.spawnSync([process.execPath, "fmt", "--no-script", file("RESULTS.md")]);
  console.log("Written: bench/RESULTS.md, bench/ladder.svg");
}

/** When a file of `src` was last changed: what runs from source and the executable must be one program. */
function newestSource(): number {
  const root = new URL("../src", import.meta.url).pathname;
  const files = new Bun.Glob("**/*").scanSync({ cwd: root, absolute: true });
  return Math.max(...[...files].map((file) => statSync(file).mtimeMs));
}

/** Refuses what would end the run in its middle, or what would measure two programs. */
function checkMachine(): void {
  if (process.platform !== "linux") throw new Error("The benchmark reads /proc: it runs on Linux");
  wrkVersion();
  if (!Bun.which("curl")) throw new Error("curl is missing. Install it: apt-get install -y curl");
  if (openFilesMost() < 10_500)
    throw new Error("10,000 streams need more open files than this shell allows: ulimit -n 20000");
  if (!existsSync(executable) || statSync(executable).mtimeMs < newestSource())
    throw new Error("dist/service is missing or older than its sources. Make it: npm run build");
}

const options = readOptions(process.argv.slice(2));
let scratch: string | undefined;

/** Ends what this run started and removes what it wrote. */
async function cleanUp(): Promise<void> {
  await stopAll();
  if (scratch) removeFolder(scratch);
}

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void cleanUp().finally(() => process.exit(1)));
try {
  checkMachine();
  if (options.parts.includes("peers")) requirePeers();
  scratch = makeScratch();
  await run(options, scratch);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
