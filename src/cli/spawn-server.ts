import { closeSync, openSync } from "node:fs";
import type { Cli } from "./cli.ts";
import { logFile } from "./local-server.ts";
import { makePrivateFolder } from "./private-files.ts";
import { selfCommand } from "./program-name.ts";

/** What a server of this machine is not to inherit: a team server's settings, and whose command started it. */
const kept = (name: string) =>
  !/^SERVICE_(PUBLIC_URL|DATA|LISTEN|ADMIN|AGENT|SESSION|SUBAGENT|BOARD|SERVER)$/.test(name);

/** Starts `serve` in a process of its own that outlives this one, with its output in the data folder's log. */
export function spawnServer(cli: Cli): Bun.Subprocess {
  makePrivateFolder(cli.folders.data);
  const log = openSync(logFile(cli), "a", 0o600);
  const child = Bun.spawn([...selfCommand(), "serve"], {
    cwd: cli.folders.data,
    env: Object.fromEntries(Object.entries(cli.env).filter(([name]) => kept(name))),
    detached: true,
    stdio: ["ignore", log, log],
  });
  child.unref();
  closeSync(log);
  return child;
}
