import { refuse, type Refusal } from "../contract/refusal.ts";

/** The refusal of an archive, with what is wrong with it, which is in its details too. */
export const archiveInvalid = (problem: string): Refusal =>
  refuse("board_archive_invalid", { problem }, { problem });
