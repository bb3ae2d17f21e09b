import type { Cli } from "../frame/cli.ts";
import { logFile } from "./local-server.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import { selfCommand } from "../frame/program-name.ts";
import type { Child } from "../frame/surroundings.ts";

/** Whether this machine's server inherits a variable. It gets no settings of a team server or of the command that started it. */
const kept = (name: string) =>
  !/^SERVICE_(PUBLIC_URL|DATA|LISTEN|ADMIN|TRUST_PROXY|AGENT|SESSION|SUBAGENT|BOARD|SERVER)$/.test(
    name,
  );

/** Starts `serve` in a process that outlives this one. Its output goes to the log in the data folder. */
export function spawnServer(cli: Cli): Child {
  makePrivateFolder(cli.folders.data);
  return cli.system.start([...selfCommand(cli), "serve"], {
    cwd: cli.folders.data,
    env: Object.fromEntries(Object.entries(cli.env).filter(([name]) => kept(name))),
    log: logFile(cli),
  });
}
