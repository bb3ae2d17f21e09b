import type { Manifest } from "./manifest.ts";

/** A finished backup in a place. */
export interface FoundBackup {
  readonly name: string;
  readonly manifest: Manifest;
}

/** A place where finished backups are kept. */
export interface Place {
  /** How a person names it. */
  readonly where: string;
  /** Whether what is stored leaves this machine, or at least its disks. A backup is then taken here first, and stored. */
  readonly isElsewhere: boolean;
  /** Whether what is stored is encrypted. */
  readonly isEncrypted: boolean;
  /** The finished backups, newest first. One whose manifest cannot be read is left out. */
  list(): Promise<FoundBackup[]>;
  /** The names that are taken, also by backups whose manifest cannot be read. */
  taken(): Promise<string[]>;
  /** Whether there is anything of a name at this moment. Missing where only somebody else could answer. */
  has?(name: string): boolean;
  /** Reads the manifest of a backup. Throws `BackupNotFound` or `BackupDamaged`. */
  manifestOf(name: string): Promise<Manifest>;
  /**
   * The local folder with the whole backup, which is fetched first if the place is elsewhere: into `into`, an empty folder, or one
   * of its own. `done` removes what was fetched.
   */
  fetch(name: string, into?: string): Promise<{ readonly folder: string; done(): void }>;
  /** Puts a finished backup from a local folder here. One that fails, or that `signal` ends, is none, or is whole. */
  store(name: string, folder: string, signal?: AbortSignal): Promise<void>;
  /** Removes a backup: its manifest first. Throws `BackupNotFound`. */
  delete(name: string): Promise<void>;
}
