import { isDiskFull } from "../../client/files/full-disk.ts";

/** Why a backup failed, as it is shown: a code, a sentence and what to do. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The reason in an error. Errors of the system get a hint about the disk. */
export function reasonOf(error: unknown): Reason {
  const { code: errno = "", message, hint } = error as Error & { code?: string; hint?: string };
  if (hint !== undefined) return { code: errno, message, hint };
  return isDiskFull(errno)
    ? diskFull("The disk is full.")
    : {
        code: "backup_failed",
        message: `The backup failed: ${message}.`,
        hint: "Look at the folder of the backups and at its disk, and try again: `service backup`",
      };
}

/** The reason of a backup for which there is no room. */
export const diskFull = (message: string): Reason => ({
  code: "disk_full",
  message,
  hint: "Make room, or remove old backups: `service backup list`",
});
