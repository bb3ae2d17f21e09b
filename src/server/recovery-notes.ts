import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { handleOfKey } from "../db/accounts.ts";
import type { ReadTx } from "../db/engine/database.ts";

/** The file with the ids of keys that were made while no server ran, a line each. It holds no secret. */
const notesOf = (dataFolder: string): string => join(dataFolder, "recovered-keys");

/** Notes a key for the log of the next start. */
export const noteRecovery = (dataFolder: string, keyId: string): void =>
  appendFileSync(notesOf(dataFolder), `${keyId}\n`, { mode: 0o600, flush: true });

/** The noted keys with the handles of their people. One whose transaction was not committed is left out. */
export function notedRecoveries(dataFolder: string, tx: ReadTx): { key: string; handle: string }[] {
  const file = notesOf(dataFolder);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .flatMap((key) => handleOfKey(tx, key) ?? []);
}

/** Forgets the noted keys, once they are logged. */
export const forgetRecoveries = (dataFolder: string): void =>
  rmSync(notesOf(dataFolder), { force: true });
