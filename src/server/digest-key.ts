import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writePrivately } from "../client/files/private-file.ts";
import { StartRefused } from "./start-refused.ts";

/**
 * Reads the digest key of secrets, which the first start makes beside the database. Without the key no stored digest would
 * match again. A truncated key is refused, because somebody could guess it and make digests.
 */
export function digestKeyOf(dataFolder: string, databaseInUse: boolean): Uint8Array {
  const file = join(dataFolder, "digest-key");
  if (existsSync(file)) {
    const text = readFileSync(file, "utf8").trim();
    if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, "hex");
    throw new StartRefused(
      "digest_key_damaged",
      `The file ${file} does not contain the digest key that a server wrote there.`,
      "Put the file back from the same backup as the database: without it no key or token works.",
    );
  }
  if (databaseInUse)
    throw new StartRefused(
      "digest_key_missing",
      `The folder ${dataFolder} has a database but no digest key.`,
      "Put the file digest-key back from the same backup: without it no key or token works.",
    );
  const key = crypto.getRandomValues(new Uint8Array(32));
  writePrivately(file, `${Buffer.from(key).toString("hex")}\n`);
  return key;
}

/**
 * Refuses a folder that has a digest key and no database. The key is made after the database, so the database was lost, and a
 * server that made a new one would sweep the bytes of its files away.
 */
export function refuseLostDatabase(dataFolder: string): void {
  const { size } = statSync(join(dataFolder, "service.db"), { throwIfNoEntry: false }) ?? {
    size: 0,
  };
  if (size > 0 || !existsSync(join(dataFolder, "digest-key"))) return;
  throw new StartRefused(
    "data_unusable",
    `The folder ${dataFolder} has a digest key but no database: its file service.db is missing or empty.`,
    "Put service.db back, or restore a backup into another folder. For a new server name an empty folder.",
  );
}
