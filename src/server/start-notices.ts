import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDiskFull } from "../client/files/full-disk.ts";
import { writePrivately } from "../client/files/private-file.ts";
import type { Db } from "../db/engine/database.ts";
import { newestTime } from "../db/log/newest-time.ts";
import type { Log } from "./log.ts";

/** How far a clock may be behind what is stored, in milliseconds. Clocks that are set by the network step back less. */
const toleratedMs = 60_000;

/** What is odd about a start, and no reason against it. */
export interface StartNotices {
  /** The time of the newest event, if the clock is behind it. */
  readonly clockBehind: string | null;
  /** The public address of the start before, if this one has another. */
  readonly urlBefore: string | null;
}

/** Looks for what is odd about a start, and logs it. A team's server keeps its public address in a file for the next start. */
export function startNotices(
  db: Db,
  now: Date,
  { dataFolder, publicUrl }: { readonly dataFolder: string; readonly publicUrl?: string },
  log: Log,
): StartNotices {
  const newest = db.read(newestTime);
  const isBehind = newest !== null && Date.parse(newest) - now.getTime() > toleratedMs;
  const clockBehind = isBehind ? newest : null;
  const urlBefore = publicUrl === undefined ? null : changedUrl(dataFolder, publicUrl);
  if (clockBehind) log({ level: "warn", event: "clock.behind", newest });
  if (urlBefore) log({ level: "warn", event: "url.changed", before: urlBefore, url: publicUrl });
  return { clockBehind, urlBefore };
}

function changedUrl(dataFolder: string, url: string): string | null {
  const file = join(dataFolder, "public-url");
  const before = existsSync(file) ? readFileSync(file, "utf8").trim() : null;
  if (before === url) return null;
  try {
    writePrivately(file, `${url}\n`);
  } catch (error) {
    // It is said again the next time, which is better than no start.
    if (!isDiskFull((error as { code?: string }).code)) throw error;
  }
  return before;
}
