import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BackupDamaged } from "../../backup/backup-errors.ts";
import { checkPart } from "../../backup/copy-part.ts";
import { pathOfFile } from "../../backup/manifest.ts";
import { openDatabase } from "../../db/engine/database.ts";
import { schemaOf } from "../../db/engine/open-alone.ts";
import { DatabaseUnavailable } from "../../db/engine/unavailable.ts";
import { countVersions } from "../../db/files.ts";
import { hasLostCommits } from "../../db/lost-commits.ts";
import { migrations } from "../../db/migrations/index.ts";
import { damagedPages, storedBytes } from "../../db/stored-copy.ts";
import type { OnBytes } from "../backup/verify-backup.ts";
import { checkFolder } from "../check-folder.ts";
import { digestKeyOf } from "../digest-key.ts";
import { refuseUnfinishedRestore } from "../restore-folder.ts";
import { StartRefused } from "../start-refused.ts";
import { checkLogs, type LogFindings } from "./check-logs.ts";

/** What a check of a data folder found. */
export interface StorageFindings extends LogFindings {
  /** How many versions of files there are. Versions with the same bytes share them. */
  readonly checked: number;
  /** SHA-256 of the bytes that are not there, in lowercase hex. */
  readonly missing: readonly string[];
  /** SHA-256 that bytes should have and do not. */
  readonly corrupt: readonly string[];
}

const nothing: StorageFindings = {
  boards: 0,
  events: 0,
  checked: 0,
  damage: [],
  differences: [],
  missing: [],
  corrupt: [],
};

const damaged = (...damage: string[]): StorageFindings => ({ ...nothing, damage });

/**
 * Checks a data folder on which no server runs, and changes nothing: the digest key, the pages of the database, every board's
 * chain, each board against what its record makes of it, and the bytes of every version of every file. Throws
 * `DatabaseUnavailable` if a server runs there, or if the database is of an older version.
 */
export async function checkStorage(
  dataFolder: string,
  onBytes: OnBytes = () => {},
): Promise<StorageFindings> {
  refuseUnfinishedRestore(dataFolder);
  const path = join(dataFolder, "service.db");
  // To open an empty file would make a database of it.
  if (statSync(path).size === 0) return damaged(`The database ${path} holds nothing of a server.`);
  const log = `${path}-wal`;
  // Twice, since a server that runs may begin its log anew meanwhile. To open the database would fold the log, and it would be gone.
  if (hasLostCommits(log) && hasLostCommits(log))
    return damaged(
      `The last commits in ${log} are damaged: a start would leave out those behind the damage, and remove that file.`,
    );
  try {
    const schema = schemaOf(path);
    if (schema <= 0) return damaged(`The database ${path} holds nothing of a server.`);
    refuseOlderSchema(path, schema);
    return await findingsOf(dataFolder, path, onBytes);
  } catch (error) {
    const reason = damageIn(error);
    if (reason === null) throw error;
    return damaged(`The database ${path} is damaged: ${reason}.`);
  }
}

async function findingsOf(
  dataFolder: string,
  path: string,
  onBytes: OnBytes,
): Promise<StorageFindings> {
  const db = openDatabase(path);
  try {
    const damage = db.read(damagedPages);
    if (damage !== null) return damaged(`The pages of the database are damaged: ${damage}.`);
    const base = statSync(path).size;
    const files = db.read(storedBytes);
    const total = 2 * base + files.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    const onPart = (bytes: number) => onBytes(Math.min((done += bytes), total), total);
    const logs = await checkLogs(db, checkFolder(dataFolder), (part) => onPart(part * base));
    const [missing, corrupt]: [string[], string[]] = [[], []];
    for (const bytes of files) {
      const there = existsSync(join(dataFolder, pathOfFile(bytes.sha256)));
      if (!there) missing.push(bytes.sha256);
      else if (!(await isWhole(bytes, dataFolder))) corrupt.push(bytes.sha256);
      onPart(bytes.size);
    }
    const checked = db.read(countVersions);
    const everyDamage = [...keyDamage(dataFolder), ...logs.damage];
    return { ...logs, damage: everyDamage, checked, missing, corrupt };
  } finally {
    db.close();
  }
}

/**
 * What SQLite says of a database that it cannot read, also of one of this version that lacks something; null for any other
 * error, such as a full disk.
 */
function damageIn(error: unknown): string | null {
  const { code = "", message } = ((error as Error).cause ?? error) as Error & { code?: string };
  return /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(code) ? message : null;
}

/** Refuses a database of an older version, which is left as it is: to open it as a server does would change it. */
export function refuseOlderSchema(path: string, schema: number): void {
  if (schema >= migrations.length) return;
  throw new DatabaseUnavailable(
    "data_unusable",
    `The database ${path} is of an older version of this program (schema ${schema}, this one has ${migrations.length}).`,
    "Run this with the version that wrote it; or start the server once, which brings it up to date.",
  );
}

/** What is wrong with the key without which no credential of the database works. */
function keyDamage(dataFolder: string): string[] {
  try {
    digestKeyOf(dataFolder, true);
    return [];
  } catch (error) {
    if (error instanceof StartRefused) return [error.message];
    throw error;
  }
}

async function isWhole(bytes: { sha256: string; size: number }, folder: string): Promise<boolean> {
  try {
    await checkPart({ path: pathOfFile(bytes.sha256), ...bytes }, folder);
    return true;
  } catch (error) {
    if (error instanceof BackupDamaged) return false;
    throw error;
  }
}
