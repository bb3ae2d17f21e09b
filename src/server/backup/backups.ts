import { BackupNotFound } from "../../backup/backup-errors.ts";
import { keepNewest } from "../../backup/keep-newest.ts";
import type { FoundBackup, Place } from "../../backup/place.ts";
import { sizeOf } from "../../backup/manifest.ts";
import { refuse } from "../../contract/refusal.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { BackupRun, Backups } from "../handler.ts";
import type { Log } from "../log.ts";
import { reasonOf } from "./reason.ts";
import { serverStops, type Taken } from "./take-backup.ts";

/** What the backups of a server are made with. */
export interface BackupParts {
  readonly place: Place;
  /** Whose backups these are. Another server may keep its own in the same place. */
  readonly serverId: string;
  /** Takes a backup into the place. */
  take(name: string, signal: AbortSignal): Promise<Taken>;
  /** The runs that are known from before, and how they are kept. */
  readonly runs: readonly BackupRun[];
  save(runs: readonly BackupRun[]): void;
  clock(): Date;
  readonly log: Log;
  /** How many finished backups stay; all unless said. */
  readonly keep?: number;
}

/** How many runs that failed are kept. */
const mostRuns = 20;

/** Makes backups, one at a time, and knows which there are. `found` is what the place has at the start. */
export function createBackups(parts: BackupParts, found: readonly FoundBackup[]): Backups {
  const { place, log, clock, serverId } = parts;
  const { where } = place;
  const now = () => clock().toISOString();
  const finished = (each: FoundBackup) => ({ ...finishedRun(each), where });
  const isOwn = ({ manifest }: FoundBackup) => manifest.server_id === serverId;
  let done = new Map(found.filter(isOwn).map((each) => [each.name, finished(each)]));
  /** The names that backups of other servers have. */
  let foreign = namesOf(found.filter((each) => !isOwn(each)));
  /** The names of those whose deletion was answered and is not over. */
  const leaving = new Set<string>();
  let failed = parts.runs.filter(({ name }) => !done.has(name)).map(ended);
  let running: BackupRun | null = null;
  let ending: Promise<unknown> = Promise.resolve();
  /** Deletions that are answered and under way. */
  let deleting: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  async function refresh(): Promise<void> {
    const started = new Map([...done.values()].map((each) => [each.name, each]));
    const there = await place.list();
    done = new Map(
      there
        .filter(isOwn)
        .map((each) => [each.name, { ...finished(each), ...startOf(started.get(each.name)) }]),
    );
    foreign = namesOf(there.filter((each) => !isOwn(each)));
  }

  async function run(begun: BackupRun): Promise<void> {
    log({ level: "info", event: "backup.started", name: begun.name });
    try {
      // One of them may be of a backup with this name.
      await deleting;
      const { at, bytes, files } = await parts.take(begun.name, stopping.signal);
      const whole = {
        ...begun,
        state: "done",
        ended_at: now(),
        taken_at: at,
        bytes,
        files,
      } as const;
      done.set(begun.name, whole);
      log({ level: "info", event: "backup.done", name: begun.name, bytes, files });
      if (parts.keep !== undefined)
        for (const name of await keepNewest(place, parts.keep, { serverId, made: begun.name }))
          log({ level: "info", event: "backup.deleted", name });
      await refresh();
    } catch (error) {
      const reason = reasonOf(error);
      if (!done.has(begun.name))
        failed = [
          { ...begun, state: "failed" as const, ended_at: now(), error: reason },
          ...failed,
        ];
      failed = failed.slice(0, mostRuns);
      log({ level: "error", message: `backup ${begun.name}: ${reason.message}` });
    }
    running = null;
    save();
  }

  async function remove(name: string): Promise<void> {
    try {
      await place.delete(name);
    } catch (error) {
      // Another deletion, or a person with a shell, was sooner.
      if (!(error instanceof BackupNotFound))
        log({ level: "error", message: `backup ${name}: ${(error as Error).message}` });
      await refresh().catch(() => undefined);
    }
  }

  /** Forgets what somebody removed without asking this server, such as by `service backup delete`. */
  function forgetRemoved(): void {
    for (const known of [done, foreign])
      for (const name of known.keys()) if (place.has?.(name) === false) known.delete(name);
  }

  function isTaken(name: string): boolean {
    forgetRemoved();
    if (leaving.has(name)) return false;
    return done.has(name) || foreign.has(name) || place.has?.(name) === true;
  }

  /** A run is a failed one once its server has ended. */
  function ended(run: BackupRun): BackupRun {
    if (run.state !== "running") return run;
    return { ...run, state: "failed", ended_at: now(), error: serverStops };
  }

  /** A full disk must not end the server. */
  function save(): void {
    try {
      parts.save(running ? [running, ...failed] : failed);
    } catch (error) {
      log({ level: "error", message: `backup: ${(error as Error).message}` });
    }
  }

  const get = (name: string): BackupRun => {
    forgetRemoved();
    const one =
      running?.name === name
        ? running
        : (done.get(name) ?? failed.find((each) => each.name === name));
    if (!one) throw refuse("backup_not_found", { name });
    return one;
  };

  return {
    start(tx: Tx, name?: string) {
      if (running) throw refuse("backup_running", { name: running.name });
      const chosen = name ?? freeName(tx.now, isTaken);
      if (isTaken(chosen)) throw refuse("backup_exists", { name: chosen });
      const started_at = tx.now;
      const begun: BackupRun = { ...empty, name: chosen, where, state: "running", started_at };
      const before = failed;
      running = begun;
      failed = failed.filter((each) => each.name !== chosen);
      // Before the answer: a server that is killed knows the run again.
      save();
      tx.onUndo(() => {
        if (running !== begun) return;
        [running, failed] = [null, before];
        save();
      });
      // After the commit: a unit that is undone begins nothing.
      setImmediate(() => {
        if (running === begun) ending = run(begun);
      });
      return begun;
    },
    get,
    list() {
      forgetRemoved();
      return [...(running ? [running] : []), ...[...done.values(), ...failed].sort(newestFirst)];
    },
    delete(tx: Tx, name: string) {
      const one = get(name);
      if (one === running) throw refuse("backup_running", { name });
      const [hadDone, hadFailed] = [new Map(done), failed];
      let undone = false;
      done.delete(name);
      failed = failed.filter((each) => each.name !== name);
      if (one.state === "done") leaving.add(name);
      tx.onUndo(() => {
        undone = true;
        leaving.delete(name);
        [done, failed] = [hadDone, hadFailed];
      });
      setImmediate(() => {
        if (undone) return;
        log({ level: "info", event: "backup.deleted", name });
        if (one.state === "failed") return save();
        deleting = Promise.all([deleting, remove(name).finally(() => leaving.delete(name))]);
      });
      return one;
    },
    async stop() {
      stopping.abort();
      await Promise.all([ending, deleting]);
    },
  };
}

const namesOf = (those: readonly FoundBackup[]) => new Set(those.map(({ name }) => name));

const empty = {
  started_at: null,
  ended_at: null,
  taken_at: null,
  bytes: null,
  files: null,
  error: null,
} as const;

const finishedRun = ({ name, manifest }: FoundBackup): Omit<BackupRun, "where"> => ({
  ...empty,
  name,
  state: "done",
  taken_at: manifest.at,
  bytes: sizeOf(manifest),
  files: manifest.files.length,
});

const startOf = (known: BackupRun | undefined) =>
  known ? { started_at: known.started_at, ended_at: known.ended_at } : {};

const timeOf = ({ taken_at, started_at }: BackupRun): string => taken_at ?? started_at ?? "";
const newestFirst = (one: BackupRun, other: BackupRun): number =>
  timeOf(other).localeCompare(timeOf(one)) || other.name.localeCompare(one.name);

/** A name made of a time, such as `2026-01-31-093000`. */
function freeName(at: string, isTaken: (name: string) => boolean): string {
  const base = at.slice(0, 19).replace("T", "-").replaceAll(":", "");
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!isTaken(name)) return name;
  }
}
