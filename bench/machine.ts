import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import elysia from "elysia/package.json" with { type: "json" };
import { fileSystemOf } from "./scratch.ts";
import { wrkVersion } from "./wrk.ts";

/** What the figures depend on besides the program, each with its name. */
export function describeMachine(scratch: string): [string, string][] {
  const cores = cpus();
  return [
    ["processor", `${cores[0]?.model.trim()}, ${cores.length} cores`],
    ["memory", `${(totalmem() / 2 ** 30).toFixed(1)} GiB`],
    ["kernel", `${release()}, ${distribution()}`],
    ["file system", fileSystemOf(scratch)],
    ["Bun", `${Bun.version} (SQLite ${sqliteVersion()})`],
    ["Elysia", elysia.version],
    ["load generator", wrkVersion()],
    ["load before the run", loadavg()[0]!.toFixed(2)],
    ["date", new Date().toISOString().slice(0, 10)],
  ];
}

function sqliteVersion(): string {
  const sql = new Database(":memory:");
  const row = sql.query<{ version: string }, []>("SELECT sqlite_version() AS version").get();
  sql.close();
  return row!.version;
}

function distribution(): string {
  const name = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"));
  return name?.[1] ?? "unknown distribution";
}

/**
 * Begins to count the processor time that the host gave to others although this machine wanted it. Calling what it returns
 * gives its share of all time since then, in percent: figures of a run with much of it are those of the host.
 */
export function measureSteal(): () => number {
  const before = processorTimes();
  return () => {
    const now = processorTimes();
    const all = now.all - before.all;
    return all === 0 ? 0 : (100 * (now.stolen - before.stolen)) / all;
  };
}

function processorTimes(): { all: number; stolen: number } {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is part of the first two.
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
}
