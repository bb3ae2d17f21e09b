import { ApiError, Unreachable } from "../../client/client.ts";
import type { Clock } from "../frame/surroundings.ts";
import { integer } from "../frame/values.ts";

/** One request waits at most so many seconds: proxies in between end requests that are silent for a minute. */
const longestWait = 50;
const pauseMs = 1_000;

/** The seconds of a `--wait`: at most an hour. */
export const waitSeconds = (flag: string, text: string): number => integer(flag, text, 1, 3_600);

/**
 * Asks until there is an answer, or gives null when the seconds are over. `ask` gets the seconds that it may wait. If the
 * server does not answer, it is asked again. Any other refusal ends the wait, and so does the signal.
 */
export async function untilSome<T>(
  clock: Clock,
  seconds: number,
  ask: (wait: number) => Promise<T | null>,
  signal?: AbortSignal,
): Promise<T | null> {
  const end = clock.elapsed() + seconds * 1_000;
  for (;;) {
    const left = Math.max(0, Math.round((end - clock.elapsed()) / 1_000));
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

/** Whether a request that failed in this way may work a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || error.status === 429
    : error instanceof Unreachable;
