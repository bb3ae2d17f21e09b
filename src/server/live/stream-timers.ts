import { keepaliveSeconds } from "../../contract/stream.ts";
import type { Db } from "../../db/engine/database.ts";
import { endOf } from "../access/identify.ts";
import type { Follower, Followers } from "./followers.ts";
import { stillAdmitted } from "./stream-admission.ts";

/** What a stream is sent when there is nothing to tell: a comment, which readers skip. */
export const keepalive = new TextEncoder().encode(": keepalive\n\n");

/** Longest time a timer can be set to. Who waits longer looks again then. */
const longestTimer = 2 ** 31 - 1;

/** Sends every stream a keepalive, again and again, until the function that it gives is called. */
export function keepAlive(followers: Followers): () => void {
  const beat = setInterval(() => {
    for (const follower of followers.all()) followers.send(follower, keepalive);
  }, keepaliveSeconds * 1000);
  beat.unref();
  return () => clearInterval(beat);
}

/**
 * Ends a follower at the moment when their credential ends; `endsAt` is null for one without an end. At that moment it looks
 * again: use may have moved the end since.
 */
export function endWithCredential(
  db: Db,
  clock: () => Date,
  followers: Followers,
  follower: Follower,
  endsAt: string | null,
): void {
  if (endsAt === null) return;
  const left = Math.max(Date.parse(endsAt) - clock().getTime(), 1);
  follower.expiry = setTimeout(
    () => {
      const caller = db.read((tx) => stillAdmitted(tx, follower.presented));
      if (caller) endWithCredential(db, clock, followers, follower, endOf(caller));
      else followers.end(follower);
    },
    Math.min(left, longestTimer),
  );
  follower.expiry.unref();
}
