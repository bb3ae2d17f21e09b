import { existsSync } from "node:fs";
import { join } from "node:path";
import { BackupDamaged } from "../../backup/backup-errors.ts";
import { checkPart } from "../../backup/copy-part.ts";
import { partsOf, readManifest, type Manifest } from "../../backup/manifest.ts";
import { verifiedCopy, type CopyFacts } from "../../db/stored-copy.ts";

/** Called with how many bytes were looked at, of how many. */
export type OnBytes = (bytes: number, total: number) => void;

/**
 * Verifies the backup in a folder: each part by its digest, the database's pages, every board's chain, and what the
 * manifest says about them. Throws `BackupNotFound` or `BackupDamaged`.
 */
export async function verifyBackup(folder: string, onBytes: OnBytes = () => {}): Promise<Manifest> {
  const manifest = readManifest(folder);
  const parts = partsOf(manifest);
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  for (const part of parts) {
    await checkPart(part, folder);
    onBytes((bytes += part.size), total);
  }
  if (existsSync(join(folder, "service.db-wal")))
    throw new BackupDamaged("service.db-wal", "a program has written into the database since");
  compare(manifest, copyIn(folder));
  return manifest;
}

/** Reads and verifies the database in a folder. Throws `BackupDamaged`. */
export function copyIn(folder: string): CopyFacts {
  try {
    return verifiedCopy(join(folder, "service.db"));
  } catch (error) {
    throw new BackupDamaged("service.db", (error as Error).message);
  }
}

/** Compares what a manifest says with the database that it is about. */
function compare(manifest: Manifest, facts: CopyFacts): void {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const differs =
    (manifest.schema !== facts.schema && "schema") ||
    (manifest.server_id !== facts.server.id && "server") ||
    (manifest.mode !== facts.server.mode && "kind of server") ||
    (manifest.generation !== facts.server.generation && "generation") ||
    (!same(manifest.boards, facts.boards) && "boards") ||
    (!same(manifest.files, facts.files) && "files");
  if (differs)
    throw new BackupDamaged("manifest.json", `it names another ${differs} than its database has`);
}
