import { join } from "node:path";
import { serverRow, workingAdminKeys } from "../db/accounts.ts";
import type { Db } from "../db/engine/database.ts";
import { digestKeyOf } from "./digest-key.ts";
import { backupLookSeconds, startDueBackup } from "./backup/due-backups.ts";
import { serverBackups } from "./backup/server-backups.ts";
import { createPrograms, type Programs } from "./downloads/programs.ts";
import { identity } from "./first-start.ts";
import { createAttentionVersions } from "./attention/versions.ts";
import { createHostCheck } from "./http/hosts.ts";
import type { Entrance } from "./http/entrance.ts";
import { createLimits } from "./http/rate-limits.ts";
import { createByteStore } from "./files/byte-store.ts";
import { byteSweepSeconds, sweepBytes } from "./files/sweep-bytes.ts";
import { writeKeyFile } from "./key-file.ts";
import { createLoopGuard } from "./live/loop-guard.ts";
import { createHub } from "./live/hub.ts";
import { createInboxStreams } from "./live/inbox-streams.ts";
import { insideOf } from "./http/inside.ts";
import { listenForMetrics } from "./http/metrics.ts";
import { isReadByAll } from "./numbers/metrics-token.ts";
import { createNumbers } from "./numbers/numbers.ts";
import { createReadiness } from "./health/readiness.ts";
import type { Log } from "./log.ts";
import { createIndexing } from "./search/indexing.ts";
import { createLoginCodes } from "./sign-in/login-codes.ts";
import { forgetRecoveries, notedRecoveries } from "./recovery-notes.ts";
import { removeCheckFolder } from "./check-folder.ts";
import { createSecrets } from "./secrets.ts";
import { startNotices } from "./start-notices.ts";
import type { RunningServer, StartOptions } from "./start-options.ts";
import { createStreams } from "./live/streams.ts";
import { sweep, sweepSeconds } from "./sweeps.ts";

/** The program in a checkout. */
const source = join(import.meta.dir, "../main.ts");

/** When the tables are counted for the figures after a start, in milliseconds: not before the first answers. */
const firstCountMs = 1000;

/** How long a stopping server waits for unfinished requests and unread answers, in milliseconds. */
const graceMilliseconds = 5000;

/** What a start has taken before the rest is put together. */
interface Taken {
  readonly db: Db;
  readonly log: Log;
  readonly entrance: Entrance;
  readonly metricsToken: string | undefined;
}

/** Puts a server together on the folder and behind the address that were taken for it, and lets requests in. */
export async function putTogether(
  options: StartOptions,
  { db, log, entrance, metricsToken }: Taken,
): Promise<RunningServer> {
  const { mode, dataFolder, metrics, shared = false } = options;
  // The key is made under the database's lock. Otherwise one of two simultaneous first starts could overwrite the other's.
  const secrets = createSecrets(digestKeyOf(dataFolder, db.read(serverRow) !== null));
  const { id, createdPerson } = await identity(db, secrets, {
    ...options,
    saveKey: (token) => writeKeyFile(options.keyFile, token),
  });
  logRecoveries(db, dataFolder, log);
  if (metrics && "tokenFile" in metrics && isReadByAll(metrics.tokenFile))
    log({ level: "warn", event: "metrics.token-read-by-all", file: metrics.tokenFile });
  removeCheckFolder(dataFolder);
  const hub = createHub(db);
  const clock = options.database?.clock ?? (() => new Date());
  const streamFault = ({ message }: Error) =>
    log({ level: "error", message: `stream: ${message}` });
  const streams = createStreams(db, hub, clock, streamFault);
  const inboxStreams = createInboxStreams(db, clock, streamFault);
  const indexing = createIndexing(db, ({ message }) =>
    log({ level: "error", message: `search index: ${message}` }),
  );
  // After the database is locked: the store removes files that an earlier server left.
  const bytes = createByteStore(join(dataFolder, "files"));
  const { backups: settings = {}, program = [process.execPath, source], version } = options;
  const backups = await serverBackups(
    { db, bytes, dataFolder, program, version, shared },
    settings,
    { serverId: id, clock, log },
  );
  const server = { id, mode, url: "", version: options.version, ...buildOf(options) };
  const limits = createLimits({
    mode,
    scale: options.rateScale ?? 1,
    clock,
  });
  const numbers = createNumbers({
    db,
    streams,
    inboxStreams,
    hub,
    backups,
    dataFolder,
    clock,
    complain: ({ message }) => log({ level: "error", message: `figures: ${message}` }),
  });
  const readiness = createReadiness({
    db,
    dataFolder,
    onChange: (reason) =>
      log(
        reason ? { level: "error", event: "not-ready", reason } : { level: "info", event: "ready" },
      ),
    ...(options.freeBytes && { freeBytes: options.freeBytes }),
  });
  const programs =
    options.downloads === undefined
      ? undefined
      : createPrograms(options.downloads, process.getuid?.(), (message) =>
          log({ level: "warn", event: "program.not-offered", message }),
        );
  const tools = {
    backups,
    numbers,
    secrets,
    server,
    loginCodes: createLoginCodes(),
    attentionVersions: createAttentionVersions(),
    loopGuard: options.loopGuard === false ? null : createLoopGuard(db, hub),
  };
  const figures =
    metrics && "port" in metrics ? listenForMetrics({ numbers, tools, log }, metrics) : undefined;
  const listener = entrance.open((url, connections) => {
    server.url = options.publicUrl ?? url;
    return insideOf(
      {
        db,
        hub,
        streams,
        inboxStreams,
        indexing,
        bytes,
        log,
        limits,
        readiness,
        numbers,
        metricsToken,
        connections,
        programs,
        tools,
      },
      createHostCheck(server),
    );
  });
  // Who is waiting already is answered before the rest of the work of a start.
  await Bun.sleep(0);
  const notices = startNotices(db, clock(), options, log);
  await sweep(db);
  const every = (seconds: number, event: string, work: () => Promise<unknown>) =>
    setInterval(() => {
      work().then(
        () => log({ level: "debug", event }),
        (error: Error) => log({ level: "error", message: `sweep: ${error.message}` }),
      );
    }, seconds * 1000);
  const sweeping = [
    every(sweepSeconds, "swept", () => sweep(db)),
    every(byteSweepSeconds, "swept-files", () => sweepBytes(db, bytes)),
    every(backupLookSeconds, "looked-for-backup", () => startDueBackup(db, backups, settings)),
  ];
  indexing.start();
  const firstCount = setTimeout(() => void numbers.count(), firstCountMs);
  if (programs) void logOffered(programs, log);
  log({
    level: "info",
    event: "started",
    version: options.version,
    url: server.url,
    data: dataFolder,
  });
  return {
    url: server.url,
    dataFolder,
    createdPerson,
    adminKeys: db.read(workingAdminKeys).map(({ handle }) => handle),
    notices,
    db,
    async stop() {
      sweeping.forEach(clearInterval);
      indexing.stop();
      clearTimeout(firstCount);
      numbers.stop();
      const stopped = listener.stop();
      streams.endAll();
      inboxStreams.endAll();
      hub.close();
      await backups.stop();
      await Promise.race([stopped, Bun.sleep(graceMilliseconds)]);
      await listener.stop(true);
      await figures?.stop(true);
      db.close();
      log({ level: "info", event: "stopped" });
    },
  };
}

/** Logs which programs are offered. Their digests are known from then on. */
async function logOffered(programs: Programs, log: Log): Promise<void> {
  const offered = (await programs.offered()).map(({ target }) => target);
  log({ level: offered.length > 0 ? "info" : "warn", event: "programs.offered", offered });
}

/** Logs the keys that were made while no server ran. */
function logRecoveries(db: Db, dataFolder: string, log: Log): void {
  for (const made of db.read((tx) => notedRecoveries(dataFolder, tx)))
    log({ level: "warn", event: "key.recovered", ...made });
  forgetRecoveries(dataFolder);
}

const buildOf = ({ commit, commitTime }: StartOptions) => ({
  ...(commit && { commit }),
  ...(commitTime && { commitTime }),
});
