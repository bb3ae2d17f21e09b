import { isAbsolute, join } from "node:path";
import type { Cli } from "../frame/cli.ts";
import type { Args, Parsed } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { duration, integer } from "../frame/values.ts";
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
    description:
      "The database: sqlite:///ABSOLUTE/FOLDER/service.db (else SERVICE_DB). With ?shared=1 at its end another program, such as Litestream, may read it.",
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
  downloads: {
    type: "string",
    valueHint: "DIR",
    description:
      "Team: offer the programs in this folder to people who are invited (else SERVICE_DOWNLOADS, none).",
  },
  backupEvery: {
    type: "string",
    valueHint: "DURATION",
    description: "Make a backup this often, such as 24h (else none is made).",
  },
  backupTo: {
    type: "string",
    valueHint: "WHERE",
    description:
      "Absolute folder of the backups, or s3://BUCKET/PREFIX (else the folder saved in the data folder).",
  },
  backupKeep: {
    type: "string",
    valueHint: "N",
    description: "How many backups stay (else all).",
  },
  metrics: {
    type: "string",
    valueHint: "FILE|ADDR",
    description:
      "Offer figures to Prometheus: at /metrics to whoever sends the token in this file, or at a loopback address of its own, such as 127.0.0.1:9464.",
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
    ...downloadsOf(cli, flags.downloads),
  };
}

/** The folder of programs that are offered for download. */
function downloadsOf(cli: Cli, given: string | undefined) {
  const downloads = given ?? cli.env["SERVICE_DOWNLOADS"];
  if (!downloads) return {};
  if (!isAbsolute(downloads))
    throw usageError(`--downloads is not an absolute path: ${downloads}.`, "Begin it with `/`.");
  return { downloads };
}

function refuseTeamFlags(cli: Cli, flags: Flags): null {
  if (namesProxies(cli, flags.trustProxy))
    throw usageError(
      "`--trust-proxy` and SERVICE_TRUST_PROXY are for a team's server: no proxy stands before this machine's own.",
      "Leave them out, or add `--public-url https://HOST`.",
    );
  if (flags.data ?? flags.listen ?? flags.admin ?? flags.downloads)
    throw usageError(
      "`--data`, `--listen`, `--admin` and `--downloads` are for a team's server, and `--public-url` is missing.",
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

/** Where backups go, how often one is made, and how many stay. */
export async function backupSettings(cli: Cli, { backupEvery, backupTo, backupKeep }: Flags) {
  const place = async (where: string) =>
    (await import("../../backup/places.ts")).placeAt(where, cli.env);
  return {
    ...(backupEvery !== undefined && {
      everySeconds: duration("--backup-every", backupEvery, "1h", "1y"),
    }),
    ...(backupTo !== undefined && { to: await place(backupTo) }),
    ...(backupKeep !== undefined && { keep: integer("--backup-keep", backupKeep, 1, 10_000) }),
  };
}

/** Where figures are offered to Prometheus. Refuses the address where the server itself listens. */
export function metricsSettings(
  { metrics }: Flags,
  server: { readonly hostname: string; readonly port: number },
) {
  if (metrics === undefined) return {};
  if (isAbsolute(metrics)) return { metrics: { tokenFile: metrics } };
  const [, name = "", digits = ""] =
    /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/.exec(metrics) ?? [];
  const [hostname, port] = [name.replace(/^\[|\]$/g, ""), Number(digits)];
  if (!hostname || port < 1 || port > 65_535)
    throw usageError(
      `--metrics is neither the absolute path of a file with a token nor a loopback address: ${metrics}.`,
      "Such as `--metrics /etc/board-service-metrics` or `--metrics 127.0.0.1:9464`.",
    );
  if (port === server.port && [hostname, "0.0.0.0", "::"].includes(server.hostname))
    throw usageError(
      `The server itself listens on ${metrics}.`,
      "Choose another port for the figures, such as `--metrics 127.0.0.1:9464`.",
    );
  return { metrics: { hostname, port } };
}
