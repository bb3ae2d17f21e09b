import { buildInfo, isOlder } from "../../../client/build-info.ts";
import { networkBlocked } from "../../../client/machine/harness.ts";
import { readSeats } from "../../../client/machine/seats.ts";
import { keyFor, localServer, type ServerRef } from "../../../client/machine/servers.ts";
import type { Cli } from "../../frame/cli.ts";
import { infoAt, provenServer } from "../../local-server/identify-server.ts";
import { failure, fine, refused, warning, type Check } from "./check.ts";

/** The local server, and every other server on which an agent of this machine has a seat. */
export async function checkServers(cli: Cli): Promise<Check[]> {
  if (networkBlocked(cli))
    return [
      failure({
        name: "local_server",
        code: "sandbox_blocks_network",
        message:
          "This command runs in a sandbox without network: whether servers run cannot be told from here.",
        fix: "Run `service doctor` in a terminal. To let sessions out: `service init --yes --allow-commands` there.",
      }),
    ];
  const names = new Set(readSeats(cli).map(({ server }) => server));
  const others = [...names].filter((name) => name !== "local").sort();
  const checked = others.map((url) => checkOther(cli, { name: url, url }));
  return [...(await checkLocal(cli)), ...(await Promise.all(checked)).flat()];
}

async function checkLocal(cli: Cli): Promise<Check[]> {
  const { url } = localServer(cli);
  try {
    const info = await provenServer(cli);
    if (info === null)
      return [fine("local_server", `${url}: not running. A command that needs it starts it.`)];
    if (isOlder(info, buildInfo))
      return [
        warning({
          name: "local_server",
          code: "server_outdated",
          message: `${url}: the server that runs is ${info.version}, older than this program.`,
          fix: "`service up` replaces it, and keeps all that is stored.",
        }),
      ];
    return [fine("local_server", `${url}: running.`), versionOf(url, info.version, "local")];
  } catch (error) {
    return [refused("local_server", error)];
  }
}

async function checkOther(cli: Cli, server: ServerRef): Promise<Check[]> {
  const { url } = server;
  const name = "server";
  const info = await infoAt(cli, url);
  const login =
    keyFor(cli, server) === null
      ? [
          failure({
            name,
            code: "login_missing",
            message: `${url}: agents of this machine have seats there, and it has no key of yours.`,
            fix: `Sign in: \`service login ${url}\``,
          }),
        ]
      : [];
  if (typeof info !== "object" || info === null)
    return [
      ...login,
      failure({
        name,
        code: "server_unreachable",
        message: `${url}: ${info === "foreign" ? "another program answers there" : "it does not answer"}.`,
        fix: "Check the network and the address; if the team has moved, ask its operator for the new one.",
      }),
    ];
  return [...login, fine(name, `${url}: running.`), versionOf(url, info.version, "team")];
}

/** Versions that differ by more than one step may not understand each other. */
function versionOf(url: string, version: string | undefined, kind: "local" | "team"): Check {
  const name = "server_version";
  const [theirs, ours] = [partsOf(version), partsOf(buildInfo.version)];
  const update =
    kind === "local"
      ? "`service down`, then `service up`"
      : "Ask its operator to upgrade it, or upgrade this program.";
  if (theirs === null || ours === null)
    return warning({
      name,
      code: "version_unknown",
      message: `${url}: it says no version that can be read.`,
      fix: update,
    });
  const bothEarly = theirs.major === 0 && ours.major === 0;
  const step = bothEarly ? theirs.minor - ours.minor : theirs.major - ours.major;
  if (Math.abs(step) <= 1)
    return fine(name, `${url}: ${version}, this program ${buildInfo.version}.`);
  return warning({
    name,
    code: "version_skew",
    message: `${url}: ${version}, and this program is ${buildInfo.version}. Some commands may not work.`,
    fix: update,
  });
}

function partsOf(version: string | undefined): { major: number; minor: number } | null {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  return major === undefined ? null : { major: Number(major), minor: Number(minor) };
}
