import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { personNamed, serverAdmins, serverRow, type PersonRow } from "../db/accounts.ts";
import { openDatabase, type Db, type ReadTx } from "../db/engine/database.ts";
import { adminsOf, isServerAdmin } from "./access/server-admin.ts";
import { digestKeyOf } from "./digest-key.ts";
import { writeKeyFile } from "./key-file.ts";
import { makeKey } from "./people/create-person.ts";
import { freeKeyName } from "./people/keys.ts";
import { refuseUnfinishedRestore } from "./restore-folder.ts";
import { noteRecovery } from "./recovery-notes.ts";
import { createSecrets } from "./secrets.ts";
import { StartRefused } from "./start-refused.ts";
import { idleKeySeconds } from "./time.ts";

/** The input of a recovery. */
export interface RecoverOptions {
  readonly mode: "local" | "team";
  /** Absolute folder of a server's data. */
  readonly dataFolder: string;
  /** File that gets the key, readable by its owner alone. It must not be there yet. */
  readonly keyFile: string;
  /** The admin who gets the key; the first one if it is missing. */
  readonly handle?: string;
}

/** The key that a recovery made. Its secret is in the file alone. */
export interface RecoveredKey {
  readonly handle: string;
  readonly key: { readonly id: string; readonly name: string };
}

/**
 * Makes a key for a server admin who has lost theirs, and changes nothing else. It opens the database alone, so no server may
 * run on it. The next start of the server logs the key.
 */
export async function recoverKey(options: RecoverOptions): Promise<RecoveredKey> {
  const { dataFolder, keyFile } = options;
  const file = join(dataFolder, "service.db");
  refuseUnfinishedRestore(dataFolder);
  if (!existsSync(file)) throw noServer(dataFolder);
  const db = openStopped(file, options);
  try {
    // Whoever named a wrong folder or handle must not be told to remove a key first.
    requireMode(db.read(serverRow)?.mode, options);
    db.read((tx) => adminMeant(tx, options));
    if (existsSync(keyFile)) throw keyThere(keyFile);
    return await makeKeyFile(db, options);
  } finally {
    db.close();
  }
}

async function makeKeyFile(db: Db, options: RecoverOptions): Promise<RecoveredKey> {
  const { mode, dataFolder, keyFile } = options;
  const secrets = createSecrets(digestKeyOf(dataFolder, true));
  const token = secrets.create("key");
  try {
    return await db.write((tx) => {
      const person = adminMeant(tx, options);
      const { id, name } = makeKey(tx, person, {
        name: freeKeyName(tx, person, "recovered"),
        digest: secrets.digest(token),
        seconds: mode === "local" ? null : idleKeySeconds,
        idle: true,
      });
      // Both before the commit: no key may work that nobody has, or that no log ever names.
      noteRecovery(dataFolder, id);
      writeKeyFile(keyFile, token);
      return { handle: person.handle, key: { id, name } };
    });
  } catch (error) {
    rmSync(keyFile, { force: true });
    throw error;
  }
}

function adminMeant(tx: ReadTx, { handle }: RecoverOptions): PersonRow {
  const person = handle === undefined ? serverAdmins(tx)[0]! : personNamed(tx, handle);
  if (person && isServerAdmin(person)) return person;
  throw new StartRefused(
    "server_admin_required",
    `@${handle} is no active admin of this server.`,
    `Name one of its admins with \`--handle\`: ${adminsOf(tx)}.`,
  );
}

/** Opens the database, and says how to stop the server that has it open. */
function openStopped(file: string, { mode, dataFolder }: RecoverOptions): Db {
  try {
    return openDatabase(file);
  } catch (error) {
    if ((error as { code?: string }).code !== "server_already_running") throw error;
    throw new StartRefused(
      "server_already_running",
      `A server runs on ${dataFolder}.`,
      mode === "local"
        ? "Stop it first: `service down`."
        : "Stop it first, such as with `systemctl stop board-service`, and start it again afterwards.",
    );
  }
}

function requireMode(known: "local" | "team" | undefined, options: RecoverOptions): void {
  if (known === options.mode) return;
  if (!known) throw noServer(options.dataFolder);
  throw new StartRefused(
    "database_mode",
    `The folder ${options.dataFolder} is that of a ${known} server.`,
    known === "local"
      ? "Leave out `--data`, and set SERVICE_HOME to that server's home."
      : `Name it: \`service recover --data ${options.dataFolder}\``,
  );
}

const noServer = (folder: string) =>
  new StartRefused(
    "data_unusable",
    `The folder ${folder} holds no server's data.`,
    "Name the folder that the server has as `--data`: `service recover --data DIR`",
  );

const keyThere = (file: string) =>
  new StartRefused(
    "key_file_exists",
    `There is a key in ${file} already.`,
    "Try that key first: `service login` reads it from standard input. If it does not work, remove the file, and try again.",
  );
