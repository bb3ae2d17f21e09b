import { keepaliveSeconds } from "../../contract/stream.ts";
import type { Db } from "../../db/engine/database.ts";
import { endOf } from "../access/identify.ts";
import type { Follower, Followers } from "./followers.ts";
import { stillAdmitted } from "./stream-admission.ts";

/** A keepalive: a comment, which readers of the stream skip. */
const keepalive = new TextEncoder().encode(": keepalive\n\n");

/** Longest delay of a timer, in milliseconds. A longer wait sets another timer then. */
const longestTimer = 2 ** 31 - 1;

/** Sends every stream a keepalive at intervals. Returns the function that stops this. */
export function keepAlive(followers: Followers): () => void {
  const beat = setInterval(() => {
    for (const follower of followers.all()) followers.send(follower, keepalive);
  }, keepaliveSeconds * 1000);
  beat.unref();
  return () => clearInterval(beat);
}

/**
 * Ends a follower at the moment when their credential ends; `endsAt` is null for one without an end. At that moment it reads
 * the end again, because use of the credential may have moved it.
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
