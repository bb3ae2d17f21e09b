import type { Cli } from "../frame/cli.ts";
import { logFile } from "./local-server.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import { selfCommand } from "../frame/program-name.ts";
import type { Child } from "../frame/surroundings.ts";

/** What a server of this machine is not to inherit: a team server's settings, and whose command started it. */
const kept = (name: string) =>
  !/^SERVICE_(PUBLIC_URL|DATA|LISTEN|ADMIN|AGENT|SESSION|SUBAGENT|BOARD|SERVER)$/.test(name);

/** Starts `serve` in a process of its own that outlives this one, with its output in the data folder's log. */
export function spawnServer(cli: Cli): Child {
  makePrivateFolder(cli.folders.data);
  return cli.system.start([...selfCommand(cli), "serve"], {
    cwd: cli.folders.data,
    env: Object.fromEntries(Object.entries(cli.env).filter(([name]) => kept(name))),
    log: logFile(cli),
  });
}
