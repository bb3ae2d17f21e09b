import { isAbsolute, join } from "node:path";
import type { Cli } from "../frame/cli.ts";
import type { Args, Parsed } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { namesProxies, trustedProxies } from "./trusted-proxies.ts";
import { dataFolder as folderFor, type Storage } from "./serve-storage.ts";

/** The flags of `serve`. */
export const serveArgs = {
  publicUrl: {
    type: "string",
    valueHint: "URL",
    description: "Serve a team at this https address, behind a proxy that handles HTTPS.",
  },
  data: {
    type: "string",
    valueHint: "DIR",
    description: "Team: absolute folder of the data (else SERVICE_DATA, data/team).",
  },
  db: {
    type: "string",
    valueHint: "URL",
    description: "The database: sqlite:///ABSOLUTE/FOLDER/service.db (else SERVICE_DB).",
  },
  files: {
    type: "string",
    valueHint: "URL",
    description: "The files beside it: disk:///ABSOLUTE/FOLDER/files (else SERVICE_FILES).",
  },
  listen: {
    type: "string",
    valueHint: "ADDR",
    description: "Team: address to listen on (else SERVICE_LISTEN, 0.0.0.0:7400).",
  },
  admin: {
    type: "string",
    valueHint: "HANDLE",
    description: "Team: handle of the first admin (else SERVICE_ADMIN, admin).",
  },
  trustProxy: {
    type: "string",
    valueHint: "CIDR[,CIDR]",
    description:
      "Team: take a client's address from the X-Forwarded-For of proxies at these addresses (else SERVICE_TRUST_PROXY, none).",
  },
  log: {
    type: "string",
    options: ["json", "text"],
    description:
      "The form of the log on stderr: json, or text (the default of a local server in a terminal).",
  },
  logLevel: {
    type: "string",
    options: ["debug", "info", "warn", "error"],
    description: "The least level that is logged (info for a team, else warn).",
  },
  rateScale: {
    type: "string",
    valueHint: "N",
    description: "Multiply every rate limit; 0 turns them off (else SERVICE_RATE_SCALE).",
  },
} as const satisfies Args;
type Flags = Parsed<typeof serveArgs>;

/** The settings of a team server, or null without `--public-url`. A flag wins over the environment. */
export function teamSettings(cli: Cli, flags: Flags, storage: Storage) {
  const { publicUrl } = flags;
  if (publicUrl === undefined) return refuseTeamFlags(cli, flags);
  checkPublicUrl(publicUrl);
  const named = flags.data ?? cli.env["SERVICE_DATA"];
  if (named !== undefined && !isAbsolute(named))
    throw usageError(`--data is not an absolute path: ${named}.`, "Begin it with `/`.");
  const dataFolder = folderFor(
    storage,
    named ?? join(cli.folders.data, "team"),
    named === undefined
      ? null
      : {
          by: flags.data === undefined ? "SERVICE_DATA" : "--data",
          hint: "Leave out one of them.",
        },
  );
  return {
    mode: "team" as const,
    dataFolder,
    publicUrl,
    ...listenAddress(flags.listen ?? cli.env["SERVICE_LISTEN"] ?? "0.0.0.0:7400"),
    keyFile: join(dataFolder, "admin-key"),
    firstHandle: flags.admin ?? cli.env["SERVICE_ADMIN"] ?? "admin",
    trustProxy: trustedProxies(cli, flags.trustProxy),
  };
}

function refuseTeamFlags(cli: Cli, flags: Flags): null {
  if (namesProxies(cli, flags.trustProxy))
    throw usageError(
      "`--trust-proxy` and SERVICE_TRUST_PROXY are for a team's server: no proxy stands before this machine's own.",
      "Leave them out, or add `--public-url https://HOST`.",
    );
  if (flags.data ?? flags.listen ?? flags.admin)
    throw usageError(
      "`--data`, `--listen` and `--admin` are for a team's server, and `--public-url` is missing.",
      "Add `--public-url https://HOST`, or leave them out.",
    );
  return null;
}

function checkPublicUrl(text: string): void {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.origin !== text || url.port === "0")
    throw usageError(
      // A password in it is nobody's to read.
      `--public-url is not an https address without a path${url?.password ? "" : `: ${text}`}.`,
      "Write it as `https://HOST` or `https://HOST:PORT`.",
    );
}

function listenAddress(text: string): { hostname: string; port: number } {
  const [, hostname, port] = /^([\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(text) ?? [];
  if (!hostname || Number(port) > 65_535)
    throw usageError(`--listen is not HOST:PORT: ${text}.`, "Such as `0.0.0.0:7400`.");
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** The factor of every rate limit: the flag, else SERVICE_RATE_SCALE, else none. */
export function rateScale(cli: Cli, flag: string | undefined): number | undefined {
  const text = flag ?? cli.env["SERVICE_RATE_SCALE"];
  if (text === undefined || text === "") return undefined;
  if (!/^\d+(\.\d+)?$/.test(text))
    throw usageError(`The rate scale is not a number: ${text}.`, "Such as 10, 0.5, or 0 for none.");
  return Number(text);
}
