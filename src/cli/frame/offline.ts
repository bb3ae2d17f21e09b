import type { Place } from "../../backup/place.ts";
import type { Manifest } from "../../backup/manifest.ts";

type OnBytes = (bytes: number, total: number) => void;

/** The input of a restore. */
export interface RestoreInput {
  readonly mode: "local" | "team";
  /** The folder of the backup, its name and its manifest. */
  readonly from: string;
  readonly name: string;
  readonly manifest: Manifest;
  /** Absolute. */
  readonly dataFolder: string;
  readonly keys: "keep" | "revoke";
  /** Where the first admin's new key is written. */
  readonly keyFile: string;
  readonly onBytes?: OnBytes;
}

/** The receipt of a restore. */
export interface RestoreReceipt {
  readonly backup: string;
  readonly taken_at: string;
  readonly restored_at: string;
  readonly generation: string;
  readonly keys: "keep" | "revoke";
  readonly boards: number;
  readonly events: number;
  readonly people: number;
  readonly files: number;
  readonly keyFile: string | null;
}

/** What a check of a data folder found. */
export interface StorageFindings {
  readonly boards: number;
  readonly events: number;
  /** How many versions of files there are. */
  readonly checked: number;
  /** What is damaged in the database: a sentence each. */
  readonly damage: readonly string[];
  /** The tables in which a board is not what its record makes of it. */
  readonly differences: readonly { readonly board: string; readonly table: string }[];
  /** SHA-256 of the bytes of files that are not there. */
  readonly missing: readonly string[];
  /** SHA-256 that bytes of files should have and do not. */
  readonly corrupt: readonly string[];
}

/** Work on data folders and backups while no server runs on them. Throws a known refusal as an Error with `code` and `hint`. */
export interface Offline {
  /** Verifies the backup in a folder. */
  verifyBackup(folder: string, onBytes?: OnBytes): Promise<Manifest>;
  restoreBackup(input: RestoreInput): Promise<RestoreReceipt>;
  /** Checks a data folder. Refuses with `server_already_running` if a server runs there. */
  checkStorage(dataFolder: string, onBytes?: OnBytes): Promise<StorageFindings>;
  /** Takes a backup of a data folder into a folder of backups. Refuses with `server_already_running` if a server runs there. */
  backUpStopped(input: {
    readonly dataFolder: string;
    readonly place: Place;
    readonly name: string;
    readonly program: readonly string[];
    readonly version: string;
    readonly onBytes?: OnBytes;
  }): Promise<unknown>;
}
