import type { Clock } from "./clock.ts";

/** Runs an act that stops when its signal aborts, which happens after so many milliseconds. */
export async function withTimeLimit<T>(
  clock: Clock,
  milliseconds: number,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const cancel = clock.after(milliseconds, () =>
    limit.abort(new Error(`no answer in ${milliseconds / 1000} seconds`)),
  );
  try {
    return await act(limit.signal);
  } finally {
    cancel();
  }
}

/** Waits for something, and no longer than so many milliseconds. */
export async function atMost(
  clock: Clock,
  milliseconds: number,
  what: Promise<unknown>,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(milliseconds, late.resolve);
  await Promise.race([what, late.promise]);
  cancel();
}
