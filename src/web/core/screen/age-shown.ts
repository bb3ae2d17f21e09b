import { connection } from "../connection/live.ts";
import { ageOf, timeOf } from "./time.ts";

/** How long ago something was. Without a connection nobody knows how it is now, so it is as of when that was lost. */
export function ageShown(at: string): string {
  const { value } = connection;
  return value.state === "lost" ? `as of ${timeOf(value.since.toISOString())}` : ageOf(at);
}
