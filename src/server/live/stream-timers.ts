import { keepaliveSeconds } from "../../contract/stream.ts";
import { endOf, type Caller } from "../access/identify.ts";
import type { Follower, Followers, Sink } from "./followers.ts";

/** A keepalive: a comment, which readers of the stream skip. */
const keepalive = new TextEncoder().encode(": keepalive\n\n");

/** Longest delay of a timer, in milliseconds. A longer wait sets another timer then. */
const longestTimer = 2 ** 31 - 1;

/** Sends every stream a keepalive at intervals. Returns the function that stops this. */
export function keepAlive<S extends Sink>(followers: Followers<S>): () => void {
  const beat = setInterval(() => {
    for (const follower of followers.all()) followers.send(follower, keepalive);
  }, keepaliveSeconds * 1000);
  beat.unref();
  return () => clearInterval(beat);
}

/**
 * Checks a follower at the moment when their credential ends. `check` reads the caller again, because use of the credential
 * may have moved its end. If there is none any more, it ends the follower and returns null.
 */
export function checkAtEnd<S extends Sink>(
  clock: () => Date,
  follower: Follower<S>,
  caller: Caller,
  check: () => Caller | null,
): void {
  const endsAt = endOf(caller);
  if (endsAt === null) return;
  const left = Math.max(Date.parse(endsAt) - clock().getTime(), 1);
  follower.expiry = setTimeout(
    () => {
      const still = check();
      if (still) checkAtEnd(clock, follower, still, check);
    },
    Math.min(left, longestTimer),
  );
  follower.expiry.unref();
}
