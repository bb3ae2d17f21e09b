import { existsSync, rmSync } from "node:fs";
import { isDiskFull } from "../../client/files/full-disk.ts";
import { writePassing } from "../../client/files/private-file.ts";
import { buildInfo } from "../../client/build-info.ts";
import { defineCommand } from "../frame/command.ts";
import { loginHandle, machineName } from "../../client/machine/identity.ts";
import { selfCommand } from "../frame/program-name.ts";
import { localAddress } from "../../client/machine/local-address.ts";
import { refuseOpen, refuseShared } from "../local-server/private-data.ts";
import { pidFile } from "../local-server/server-process.ts";
import { ownerTokenFile } from "../../client/machine/servers.ts";
import {
  backupSettings,
  metricsSettings,
  rateScale,
  serveArgs,
  teamSettings,
} from "./serve-settings.ts";
import { dataFolder, refuseSharing, storageOf, type Storage } from "./serve-storage.ts";
import { shellWord } from "../../contract/shell-word.ts";
import type { Cli } from "../frame/cli.ts";
import type { RunningServer, StartServerOptions } from "../frame/start-server.ts";

export default defineCommand({
  summary: "Run a server in the foreground",
  acts: "neutral",
  noJson: true,
  args: serveArgs,
  details:
    "Runs a server in the foreground until Ctrl-C. Without --public-url it is the server of this machine, and only this machine reaches it. With --public-url it is a server for a team: a proxy in front handles HTTPS.",
  examples: [
    ["serve", "This machine's server."],
    ["serve --public-url https://board.example.org", "A team's server behind a proxy."],
    [
      "serve --public-url https://board.example.org --db sqlite:///srv/board/service.db",
      "A team's server with its data in /srv/board.",
    ],
  ],
  seeAlso: ["up", "down", "login"],
  async run({ args, data: cli }) {
    const storage = storageOf(cli.env, args);
    refuseSharing(storage, args);
    const team = teamSettings(cli, args, storage);
    const scale = rateScale(cli, args.rateScale);
    const settings = team ?? localSettings(cli, storage);
    const options = {
      ...settings,
      keyName: machineName(),
      ...build(),
      ...(scale !== undefined && { rateScale: scale }),
      ...metricsSettings(args, settings),
      ...(args.logLevel && { logLevel: args.logLevel }),
      ...(storage.isShared && { shared: true }),
      backups: await backupSettings(cli, args),
      program: selfCommand(cli),
      logForm: args.log ?? (team || !cli.stderr.isTerminal() ? "json" : "text"),
      log: (line: string) => cli.stderr.writeLater(`${line}\n`),
    };
    cli.system.setUmask(0o077);
    if (team) refuseShared(cli, team.dataFolder);
    else [options.dataFolder, cli.folders.config].forEach(refuseOpen);
    const stopped = stopSignal(cli);
    const server = await cli.startServer(options);
    const ownPid = pidFile(server.dataFolder);
    recordPid(cli, ownPid);
    // Its log may lie on the full disk.
    await cli.print(welcome(cli, server, options)).catch(refuseUnlessFull);
    await stopped;
    await server.stop();
    rmSync(ownPid, { force: true });
  },
});

/** Records the process id. On a full disk the server goes on without: what it has can be read, and `down` finds it by its database. */
function recordPid(cli: Cli, file: string): void {
  try {
    writePassing(file, `${cli.system.pid}\n`);
  } catch (error) {
    refuseUnlessFull(error);
    const text = `${file} cannot be written: the disk is full. What is here can be read; make room to go on.`;
    cli.stderr.writeLater(`${text}\n`);
  }
}

function refuseUnlessFull(error: unknown): void {
  const { code = "" } = error as { code?: string };
  if (!isDiskFull(code)) throw error;
}

function build() {
  const { version, commit, commit_time: commitTime } = buildInfo;
  return { version, ...(commit && { commit }), ...(commitTime && { commitTime }) };
}

function localSettings(cli: Cli, storage: Storage) {
  const { hostname, port } = localAddress(cli);
  return {
    mode: "local" as const,
    dataFolder: dataFolder(storage, cli.folders.data, {
      by: "this machine's own server",
      hint: "Set SERVICE_HOME to have another server of this machine, or add `--public-url https://HOST` to serve a team.",
    }),
    hostname,
    port,
    keyFile: ownerTokenFile(cli),
    firstHandle: loginHandle(cli),
  };
}

/** The first signal asks for an orderly end; a second one ends the process. */
const stopSignal = ({ system }: Cli) =>
  new Promise<void>((resolve) => {
    system.onSignal("SIGINT", resolve);
    system.onSignal("SIGTERM", resolve);
  });

function welcome(cli: Cli, server: RunningServer, options: StartServerOptions): string {
  const { mode, keyFile, hostname, port } = options;
  const first = server.createdPerson;
  return [
    `Serving at ${server.url}${mode === "team" ? `, listening on ${hostname}:${port}` : ""}`,
    `Data: ${server.dataFolder}`,
    ...(first ? [`First person: ${first.handle}, with the key in ${keyFile}`] : []),
    ...oddities(cli, server),
    ...nextSteps(cli, server.url, options),
    ...(mode === "team" ? lastKeyWarning(server) : []),
    "Stop with Ctrl-C.",
  ].join("\n");
}

/** What an operator has to know of a clock that is behind, and of an address that is not the one before. */
function oddities(cli: Cli, { url, notices: { clockBehind, urlBefore } }: RunningServer): string[] {
  const now = new Date(cli.clock.now()).toISOString();
  return [
    ...(clockBehind
      ? [
          `This machine's clock says ${now}, and the newest event is of ${clockBehind}. Set the clock: until then new events look older than those before them, and keys and codes last longer.`,
        ]
      : []),
    ...(urlBefore
      ? [
          `Its public address was ${urlBefore} until now. There nothing answers any more: invitations and links that name it do not work, and everybody signs in again, with \`service login ${url}\`.`,
        ]
      : []),
  ];
}

/** What to do first. On a team's server it is about the first admin's key, while its file is there. */
function nextSteps(cli: Cli, url: string, { mode, keyFile }: StartServerOptions): string[] {
  if (mode === "local")
    return [
      `Next, in another terminal: ${cli.typed("pair")}`,
      `To see it in a browser: ${cli.typed("open")}`,
    ];
  if (!existsSync(keyFile)) return [];
  return [
    `Next, on your own machine, with a copy of ${keyFile}: service login ${url} < admin-key`,
    "Delete the file once that worked.",
  ];
}

/** What a team's admins have to know when one key, or none, stands between them and a server that nobody can administer. */
function lastKeyWarning({ adminKeys, dataFolder }: RunningServer): string[] {
  const recovery = `service recover --data ${shellWord(dataFolder)}`;
  if (adminKeys.length > 1) return [];
  const [handle] = adminKeys;
  if (handle === undefined)
    return [`No admin has a working key. Stop the server, and run here: ${recovery}`];
  return [
    `@${handle} is the only admin, with one key. If it is lost, or not used for 90 days, nobody administers this server.`,
    "Make a second key with `service keys create NAME`, or a second admin with `service people role HANDLE admin`.",
    `After a loss: ${recovery}`,
  ];
}
