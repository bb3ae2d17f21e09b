import { join } from "node:path";
import { BackupFailed } from "../../backup/backup-errors.ts";
import { linkOrCopyPart } from "../../backup/copy-part.ts";
import { copySynced, digestOfFile, syncTree } from "../../client/files/copied-file.ts";
import { createPrivately } from "../../client/files/private-file.ts";
import {
  manifestFormat,
  manifestName,
  manifestText,
  partsOf,
  sizeOf,
  type Manifest,
} from "../../backup/manifest.ts";
import { foldCopiedLog } from "../../db/stored-copy.ts";
import type { CopyJob, CopyWord } from "../../backup/words-of-child.ts";
import { copyIn } from "./verify-backup.ts";

/** What the process that copies is to its server. */
interface Talk {
  say(word: CopyWord): void;
  /** Resolves once the server says that the file was frozen all the time. */
  readonly go: Promise<unknown>;
}

/**
 * Copies a server's data into a folder, verifies the copy, and writes its manifest last. Runs in a process of its own, since
 * it opens the copy of the database and reads every byte.
 */
export async function copyBackup(job: CopyJob, { say, go }: Talk): Promise<void> {
  const { data, into } = job;
  const database = join(into, "service.db");
  copySynced(join(data, "service.db"), database);
  if (job.logBytes) copySynced(join(data, "service.db-wal"), `${database}-wal`, job.logBytes);
  say({ is: "copied" });
  await go;
  if (job.logBytes) foldCopiedLog(database);
  copySynced(join(data, "digest-key"), join(into, "digest-key"));
  const { schema, server, boards, files } = copyIn(into);
  if (JSON.stringify(boards) !== JSON.stringify(job.boards))
    throw failed("The copy of the database does not have the heads that the server saw.");
  if (server.generation === null) throw failed("The server has no generation: start it once.");
  const manifest: Manifest = {
    format: manifestFormat,
    program: job.program,
    schema,
    server_id: server.id,
    mode: server.mode,
    generation: server.generation,
    at: job.at,
    boards,
    database: await digestOfFile(database),
    digest_key: await digestOfFile(join(into, "digest-key")),
    files,
  };
  // Before the files are copied: too many are refused here.
  const text = manifestText(manifest);
  const total = sizeOf(manifest);
  let bytes = manifest.database.size + manifest.digest_key.size;
  say({ is: "progress", bytes, total });
  let said = Date.now();
  for (const part of partsOf(manifest).filter(({ path }) => path.startsWith("files/"))) {
    await linkOrCopyPart(part, job.others, data, into);
    bytes += part.size;
    if (Date.now() - said < 100) continue;
    said = Date.now();
    say({ is: "progress", bytes, total });
  }
  createPrivately(join(into, manifestName), text);
  // Here, since a server that synced every folder would answer nobody meanwhile.
  syncTree(into);
  say({ is: "done", bytes: total, files: files.length });
}

const failed = (message: string) =>
  new BackupFailed("backup_damaged", message, "Try again: `service backup`");
