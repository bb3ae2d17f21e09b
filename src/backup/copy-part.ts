import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { copySynced, digestOfFile, linkedFile } from "../client/files/copied-file.ts";
import { BackupDamaged } from "./backup-errors.ts";
import type { Part } from "./manifest.ts";

/** Copies a part from one folder to another, and compares it with its digest. Throws `BackupDamaged` if it is missing or differs. */
export async function copyPart(part: Part, from: string, to: string): Promise<void> {
  await checkSize(part, from);
  copySynced(join(from, part.path), join(to, part.path));
  await checkPart(part, to);
}

/** Links a file's bytes to those of another backup if one has them undamaged, else copies them. */
export async function linkOrCopyPart(
  part: Part,
  others: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  const target = join(to, part.path);
  if (part.path.startsWith("files/"))
    for (const other of others)
      if (linkedFile(join(other, part.path), target)) {
        if (await isWhole(part, target)) return;
        rmSync(target);
      }
  await copyPart(part, from, to);
}

/** Compares a part with its digest. Throws `BackupDamaged`. */
export async function checkPart(part: Part, folder: string): Promise<void> {
  await checkSize(part, folder);
  if ((await digestOfFile(join(folder, part.path))).sha256 !== part.sha256)
    throw new BackupDamaged(part.path, "its content does not fit its digest");
}

async function checkSize(part: Part, folder: string): Promise<void> {
  const there = statSync(join(folder, part.path), { throwIfNoEntry: false });
  if (!there?.isFile()) throw new BackupDamaged(part.path, "it is missing");
  if (there.size !== part.size)
    throw new BackupDamaged(part.path, `it has ${there.size} bytes and not ${part.size}`);
}

async function isWhole(part: Part, path: string): Promise<boolean> {
  const { sha256, size } = await digestOfFile(path);
  return sha256 === part.sha256 && size === part.size;
}
