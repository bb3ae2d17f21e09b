import { arch, cpus, release, totalmem } from "node:os";
import { buildInfo } from "../../client/build-info.ts";
import { daemonLog } from "../../client/machine/daemon-files.ts";
import { readText } from "../../client/machine/private-files.ts";
import { keyFor, knownServers, selectServer } from "../../client/machine/servers.ts";
import { readSeats, type Seat } from "../../client/machine/seats.ts";
import { tarEnd, tarHeader, tarPadding } from "../../board-archive/tar-blocks.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { isDiskFull } from "../../client/files/full-disk.ts";
import { asPerson, quietApiOf } from "../acting/acting.ts";
import { shownPath, toFill } from "../files/local-file.ts";
import { saveAs } from "../files/save-file.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { logFile } from "../local-server/local-server.ts";
import { failureOf } from "../frame/output.ts";
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
    if (args.output === "-")
      throw usageError("A bundle is a file, and not text to print.", "Name one: `-o FILE`.");
    const target = toFill(cli.cwd, "service-debug.tar", args.output);
    const shown = oneLine(shownPath(cli.cwd, target.path));
    if (target.there && !args.force)
      throw usageError(`${shown} is there already.`, "Add `--force`, or name another path: `-o`.");
    cli.system.setUmask(0o077);
    const files = await filesOf(cli, args.server);
    const bytes = tarOf(files);
    await saveAs(cli, target, new Blob([bytes]).stream(), async () => {}).catch(sayFull);
    return {
      json: { path: target.path, bytes: bytes.length, files: Object.keys(files) },
      text: `${shown}: ${size(bytes.length)}. It is a tar of texts, without content and names: read it before you give it away.`,
    };
  },
});

/** A full disk is what a bundle may be about. */
function sayFull(error: unknown): never {
  if (!isDiskFull((error as { code?: string }).code)) throw error;
  throw new LocalError(
    "disk_full",
    "The disk of this folder is full.",
    "Write the bundle to another one: `service debug-bundle -o FOLDER`",
  );
}

/** The texts of a bundle by their names. A part that cannot be made says why, and the others are there. */
async function filesOf(cli: Cli, server: string | undefined): Promise<Record<string, string>> {
  const hidden = withoutNames(cli, server);
  const json = async (make: () => unknown) =>
    `${hidden(JSON.stringify(await orWhyNot(make), null, 2))}\n`;
  const log = async (file: string) => {
    const text = hidden.knowsAll
      ? await orWhyNot(() => endOf(file))
      : "Left out: the names that must not be in it are not known.\n";
    return typeof text === "string" ? hidden(text) : json(() => text);
  };
  return {
    "about.json": await json(() => aboutHere(cli)),
    "doctor.json": await json(() => checksHere(cli)),
    "numbers.json": await json(() => numbersOf(cli, server)),
    "server.log": await log(logFile(cli)),
    "daemon.log": await log(daemonLog(cli.folders)),
  };
}

/** What is made, or the error that keeps it from being made, as a command would show it. */
async function orWhyNot<T>(make: () => T | Promise<T>) {
  try {
    return await make();
  } catch (error) {
    const { code, message } = failureOf(error);
    return { code, message };
  }
}

/** Versions and counts. Of the environment only the names of our own variables. */
async function aboutHere(cli: Cli) {
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
    servers: await orWhyNot(() => knownServers(cli).length),
    ...(await orWhyNot(() => countsOf(readSeats(cli)))),
  };
}

const countsOf = (seats: readonly Seat[]) => ({
  seats: seats.length,
  boards: new Set(seats.map(({ board, server }) => `${server} ${board}`)).size,
});

/** The server's figures. */
async function numbersOf(cli: Cli, server: string | undefined): Promise<unknown> {
  const chosen = selectServer(cli, server);
  // Without a key there is no person yet, and asking would start a server.
  if (keyFor(cli, chosen) === null) return { code: "login_required" };
  return quietApiOf(cli, await asPerson(cli, { server })).call("getNumbers");
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
