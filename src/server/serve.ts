import { join } from "node:path";
import { makePrivateFolder } from "../client/files/private-file.ts";
import { serverRow, workingAdminKeys } from "../db/accounts.ts";
import { hasLostCommits } from "../db/lost-commits.ts";
import { openDatabase, type Db, type DatabaseOptions } from "../db/engine/database.ts";
import { digestKeyOf, refuseLostDatabase } from "./digest-key.ts";
import { backupLookSeconds, startDueBackup } from "./backup/due-backups.ts";
import { serverBackups, type BackupSettings } from "./backup/server-backups.ts";
import { createPrograms, type Programs } from "./downloads/programs.ts";
import { identity } from "./first-start.ts";
import { createAttentionVersions } from "./attention/versions.ts";
import type { Network } from "../contract/networks.ts";
import { createApp } from "./http/app.ts";
import { createHostCheck } from "./http/hosts.ts";
import { listen } from "./http/listen.ts";
import { createLimits } from "./http/rate-limits.ts";
import { createByteStore } from "./files/byte-store.ts";
import { byteSweepSeconds, sweepBytes } from "./files/sweep-bytes.ts";
import { writeKeyFile } from "./key-file.ts";
import { createLoopGuard } from "./live/loop-guard.ts";
import { createHub } from "./live/hub.ts";
import { createInboxStreams } from "./live/inbox-streams.ts";
import { listenForMetrics, type MetricsAddress } from "./http/metrics.ts";
import { isReadByAll, tokenIn } from "./numbers/metrics-token.ts";
import { createNumbers } from "./numbers/numbers.ts";
import { createReadiness } from "./health/readiness.ts";
import { createLog, type Log, type LogForm, type LogLevel } from "./log.ts";
import { createIndexing } from "./search/indexing.ts";
import { createLoginCodes } from "./sign-in/login-codes.ts";
import { refuseUnfinishedRestore } from "./restore-folder.ts";
import { forgetRecoveries, notedRecoveries } from "./recovery-notes.ts";
import { removeCheckFolder } from "./check-folder.ts";
import { createSecrets } from "./secrets.ts";
import { startNotices, type StartNotices } from "./start-notices.ts";
import { createStreams } from "./live/streams.ts";
import { sweep, sweepSeconds } from "./sweeps.ts";

/** The settings of a server. */
export interface StartOptions {
  readonly mode: "local" | "team";
  /** Absolute folder of the database and the digest key. Made with mode 0700 if it is missing. */
  readonly dataFolder: string;
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Where clients reach a team server: https, without a path. */
  readonly publicUrl?: string;
  /** File that gets the first person's key at the first start, readable by its owner only. */
  readonly keyFile: string;
  readonly firstHandle: string;
  readonly keyName: string;
  /** Networks of proxies whose `X-Forwarded-For` is read. The header is not read by default. */
  readonly trustProxy?: readonly Network[];
  /** Multiplies every rate limit; 0 turns them off. The default is 1. */
  readonly rateScale?: number;
  /** How long a connection may be idle, in whole seconds: its client sends nothing and reads nothing of its answer. The default is 10. */
  readonly idleSeconds?: number;
  /** Offers figures to Prometheus: to whoever sends the token in a file, or at a loopback address of its own. Nowhere by default. */
  readonly metrics?: { readonly tokenFile: string } | MetricsAddress;
  /** Folder with the programs that people may download, absolute. Nothing is offered by default. */
  readonly downloads?: string;
  readonly version: string;
  readonly commit?: string;
  readonly commitTime?: string;
  /** The least level of the lines that are logged: by default `info` for a team's server, `warn` for a local one. */
  readonly logLevel?: LogLevel;
  /** The default is JSON. */
  readonly logForm?: LogForm;
  log(line: string): void;
  /** Where backups go, how many stay, and how often one is made. */
  readonly backups?: BackupSettings;
  /** Whether another program, such as Litestream, may read the database meanwhile. No backup can be made then. */
  readonly shared?: boolean;
  /** The words that start this program. From its sources unless said. */
  readonly program?: readonly string[];
  /** For measurements only. */
  readonly database?: DatabaseOptions;
  /** For tests only: the bytes free on the disk of a folder. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** For measurements only: whether agents that only wake each other are stopped. They are, by default. */
  readonly loopGuard?: boolean;
}

/** The program in a checkout. */
const source = join(import.meta.dir, "../main.ts");

/** When the tables are counted for the figures after a start, in milliseconds: not before the first answers. */
const firstCountMs = 1000;

/** How long a stopping server waits for unfinished requests and unread answers, in milliseconds. */
const graceMilliseconds = 5000;

/** A running server. */
export interface RunningServer {
  readonly url: string;
  readonly dataFolder: string;
  /** Set when this start made the database and its first person. */
  readonly createdPerson: { handle: string } | null;
  /** Who has the working keys of server admins at this start: a handle for each key. */
  readonly adminKeys: readonly string[];
  readonly notices: StartNotices;
  readonly db: Db;
  /**
   * Ends streams and waits, finishes what is in flight, folds the log into the database and closes it. A client
   * that does not read its answer delays this by five seconds at most.
   */
  stop(): Promise<void>;
}

/** Starts a server that listens. Throws errors with `code` and `hint` when it cannot. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { mode, dataFolder } = options;
  refuseUnfinishedRestore(dataFolder);
  refuseLostDatabase(dataFolder);
  const { metrics } = options;
  const tokenFile = metrics && "tokenFile" in metrics ? metrics.tokenFile : undefined;
  const metricsToken = tokenFile && tokenIn(tokenFile);
  makePrivateFolder(dataFolder);
  const { shared = false } = options;
  const path = join(dataFolder, "service.db");
  const leavesOut = hasLostCommits(`${path}-wal`);
  const db = openDatabase(path, { ...options.database, shared });
  const log = createLog((line) => options.log(line), {
    least: options.logLevel ?? (mode === "team" ? "info" : "warn"),
    form: options.logForm ?? "json",
  });
  if (leavesOut) log({ level: "error", event: "commits.left-out", file: `${path}-wal` });
  try {
    // The key is made under the database's lock. Otherwise one of two simultaneous first starts could overwrite the other's.
    const secrets = createSecrets(digestKeyOf(dataFolder, db.read(serverRow) !== null));
    const { id, createdPerson } = await identity(db, secrets, {
      ...options,
      saveKey: (token) => writeKeyFile(options.keyFile, token),
    });
    logRecoveries(db, dataFolder, log);
    if (tokenFile && isReadByAll(tokenFile))
      log({ level: "warn", event: "metrics.token-read-by-all", file: tokenFile });
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
          reason
            ? { level: "error", event: "not-ready", reason }
            : { level: "info", event: "ready" },
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
    const listener = listen(options, (url, connections) => {
      server.url = options.publicUrl ?? url;
      return createApp(
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
  } catch (error) {
    db.close();
    throw error;
  }
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
