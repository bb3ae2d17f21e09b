import { ApiError, Unreachable } from "../../client/client.ts";
import type { Clock } from "../frame/surroundings.ts";
import { integer } from "../frame/values.ts";

/** One request waits at most this long, in seconds: what stands between ends requests that stay silent for a minute. */
const longestWait = 50;
const pauseMs = 1_000;

/** The seconds of a `--wait`: at most an hour. */
export const waitSeconds = (flag: string, text: string): number => integer(flag, text, 1, 3_600);

/**
 * Asks again until there is something, or the seconds are over: then null. `ask` is given how long it may wait. A server
 * that does not answer meanwhile is asked again; any other refusal ends it, and so does the signal.
 */
export async function untilSome<T>(
  clock: Clock,
  seconds: number,
  ask: (wait: number) => Promise<T | null>,
  signal?: AbortSignal,
): Promise<T | null> {
  const end = clock.now() + seconds * 1_000;
  for (;;) {
    const left = Math.max(0, Math.round((end - clock.now()) / 1_000));
    const found = await asked(clock, () => ask(Math.min(left, longestWait)), left > 0, signal);
    if (found !== null || left === 0 || signal?.aborted) return found;
  }
}

async function asked<T>(
  clock: Clock,
  ask: () => Promise<T | null>,
  mayPause: boolean,
  signal?: AbortSignal,
): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (signal?.aborted) return null;
    if (!mayPause || !isPassing(error)) throw error;
    await clock.sleep(pauseMs);
    return null;
  }
}

/** Whether the same request may work a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || error.status === 429
    : error instanceof Unreachable;
