import { arch, cpus, release, totalmem } from "node:os";
import { buildInfo } from "../../client/build-info.ts";
import { daemonLog } from "../../client/machine/daemon-files.ts";
import { readText } from "../../client/machine/private-files.ts";
import { keyFor, knownServers, selectServer } from "../../client/machine/servers.ts";
import { readSeats } from "../../client/machine/seats.ts";
import { tarEnd, tarHeader, tarPadding } from "../../board-archive/tar-blocks.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { asPerson, quietApiOf } from "../acting/acting.ts";
import { shownPath, toFill } from "../files/local-file.ts";
import { saveAs } from "../files/save-file.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { logFile } from "../local-server/local-server.ts";
import { oneLine } from "../terminal/clean.ts";
import { size } from "../terminal/size-text.ts";
import { checksHere } from "../setting-up/doctor/doctor.ts";
import { withoutNames } from "./without-names.ts";

/** How much of the end of a log is taken, in characters. */
const logTail = 512 * 1024;

export default defineCommand({
  summary: "Write what helps to find a fault into a file",
  acts: "person",
  startsNothing: true,
  args: {
    output: {
      type: "string",
      alias: "o",
      valueHint: "FILE",
      description: "Where to write it: a path or a folder (else service-debug.tar in this folder).",
    },
    force: { type: "boolean", description: "Replace a file that is there." },
    ...serverFlag,
  },
  details:
    "Holds what `doctor` finds, versions, counts, the ends of the logs of this machine's server and daemon, and the server's figures if you are its admin. No message, file, key or token is in it, and names of servers, boards, agents and people are replaced. It is a tar of texts: read it before you give it away.",
  examples: [["debug-bundle -o /tmp", "Into another folder."]],
  seeAlso: ["doctor", "status"],
  async run({ args, data: cli }) {
    const target = toFill(cli.cwd, "service-debug.tar", args.output);
    const shown = oneLine(shownPath(cli.cwd, target.path));
    if (target.there && !args.force)
      throw usageError(`${shown} is there already.`, "Add `--force`, or name another path: `-o`.");
    cli.system.setUmask(0o077);
    const files = await filesOf(cli, args.server);
    const bytes = tarOf(files);
    await saveAs(cli, target, new Blob([bytes]).stream(), async () => {});
    return {
      json: { path: target.path, bytes: bytes.length, files: Object.keys(files) },
      text: `${shown}: ${size(bytes.length)}. It is a tar of texts, without content and names: read it before you give it away.`,
    };
  },
});

/** The texts of a bundle by their names. */
async function filesOf(cli: Cli, server: string | undefined): Promise<Record<string, string>> {
  const hidden = withoutNames(cli);
  const json = (value: unknown) => `${hidden(JSON.stringify(value, null, 2))}\n`;
  return {
    "about.json": json(aboutHere(cli)),
    "doctor.json": json(await checksHere(cli)),
    "numbers.json": json(await numbersOf(cli, server)),
    "server.log": hidden(endOf(logFile(cli))),
    "daemon.log": hidden(endOf(daemonLog(cli.folders))),
  };
}

/** Versions and counts. Of the environment only the names of our own variables. */
function aboutHere(cli: Cli) {
  const seats = readSeats(cli);
  return {
    at: new Date(cli.clock.now()).toISOString(),
    program: buildInfo,
    bun: Bun.version,
    system: {
      platform: cli.system.platform,
      release: release(),
      arch: arch(),
      cores: cpus().length,
      memory: totalmem(),
    },
    environment: Object.keys(cli.env)
      .filter((name) => /^(SERVICE|XDG)_|_PROXY$|^SSL_CERT_FILE$/i.test(name))
      .toSorted(),
    servers: knownServers(cli).length,
    seats: seats.length,
    boards: new Set(seats.map(({ board, server }) => `${server} ${board}`)).size,
  };
}

/** The server's figures, or why there are none. */
async function numbersOf(cli: Cli, server: string | undefined): Promise<unknown> {
  try {
    const chosen = selectServer(cli, server);
    // Without a key there is no person yet, and asking would start a server.
    if (keyFor(cli, chosen) === null) return { code: "login_required" };
    return await quietApiOf(cli, await asPerson(cli, { server })).call("getNumbers");
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return { code, message };
  }
}

/** The end of a log, from the beginning of a line. Empty if there is none. */
function endOf(file: string): string {
  const text = readText(file) ?? "";
  return text.length <= logTail ? text : text.slice(text.indexOf("\n", text.length - logTail) + 1);
}

function tarOf(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const bytes = new TextEncoder().encode(text);
    return [tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)];
  });
  return new Uint8Array(Buffer.concat([...parts, tarEnd()]));
}
