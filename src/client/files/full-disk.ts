const full = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** Whether an error with this code says that a disk, or a person's share of it, is full. */
export const isDiskFull = (code: string | undefined): boolean => full.has(code ?? "");
