import { existsSync, readFileSync } from "node:fs";
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
