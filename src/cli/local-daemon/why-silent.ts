import { readFileSync } from "node:fs";
import { connectToDaemon } from "../../client/machine/daemon-client.ts";
import { daemonLog, daemonPid } from "../../client/machine/daemon-files.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { readText } from "../../client/machine/private-files.ts";
import type { Cli } from "../frame/cli.ts";

type Run = Pick<Cli, "folders" | "system">;

/** A daemon that listens and does not answer. */
export interface Silent {
  /** Its process, if its file names one that lives. */
  readonly pid: number | null;
}

/** The daemon that listens, asked after it gave no answer. Null if none does. Nothing can take its place while it lives. */
export async function silentDaemon(cli: Run): Promise<Silent | null> {
  const connection = await connectToDaemon(cli).catch(() => null);
  if (connection === null) return null;
  connection.close();
  const pid = Number(readText(daemonPid(cli.folders))?.split("\n")[0]);
  return { pid: Number.isSafeInteger(pid) && pid > 1 && cli.system.isAlive(pid) ? pid : null };
}

/** How a daemon that does not answer is named. */
export const silentText = ({ pid }: Silent): string =>
  `The delivery daemon${pid === null ? "" : `, process ${pid},`} runs and does not answer.`;

/** How a daemon that does not answer is ended. */
export const endSilent = ({ pid }: Silent): string =>
  `${pid === null ? 'Find its process with `pgrep -f "service daemon"` and end it.' : `To end it: \`kill -KILL ${pid}\`.`} Nothing is lost, and the next hook or command starts another.`;

/** The refusal of what needs a daemon that does not answer. */
export const daemonSilent = (silent: Silent): LocalError =>
  new LocalError("daemon_not_running", silentText(silent), endSilent(silent));

/** What a daemon logs once it runs. What it says before that is why it does not. */
export const runsText = "The delivery daemon runs. Stop with Ctrl-C.";

/** Why the daemon did not start the last time, with what to do, as its log says it. Null if it did, or nothing is known. */
export function lastFailure(cli: Run): { readonly what: string; readonly hint: string } | null {
  const log = tailOf(daemonLog(cli.folders));
  const said = log.slice(log.lastIndexOf(runsText) + 1);
  const found = /^Error \([a-z_]+\): .*$(?![^]*^Error \()/m.exec(said);
  if (!found) return null;
  const hint = /\nHint: (.*)/.exec(said.slice(found.index))?.[1] ?? "";
  return { what: found[0], hint };
}

/** The end of a log that may be long. */
function tailOf(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(-16_384);
  } catch {
    return "";
  }
}
