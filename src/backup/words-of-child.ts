import type { BackedUpBoard } from "./manifest.ts";

/** The word after the program's name with which a process copies a backup. It is no command. */
export const childWord = "backup-child";

/** What the process that copies is told first, as a line of JSON on its standard input. */
export interface CopyJob {
  /** Absolute folder of the server's data. */
  readonly data: string;
  /** The folder that becomes the backup. It is there, and empty. */
  readonly into: string;
  /** Folders of finished backups whose files may be linked. */
  readonly others: readonly string[];
  /** Version of the program. */
  readonly program: string;
  /** So many bytes of the write-ahead log belong to the database file; 0 if it is whole without. */
  readonly logBytes: number;
  /** When the database file was frozen, and the heads of its boards then. */
  readonly at: string;
  readonly boards: readonly BackedUpBoard[];
}

/**
 * What that process says, each a line of JSON on its standard output. After `copied` it waits for the line `go`: only then
 * was the file frozen for the whole time of the copy. It ends at once when its input ends.
 */
export type CopyWord =
  | { readonly is: "copied" }
  | { readonly is: "progress"; readonly bytes: number; readonly total: number }
  | { readonly is: "done"; readonly bytes: number; readonly files: number }
  | {
      readonly is: "failed";
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    };
