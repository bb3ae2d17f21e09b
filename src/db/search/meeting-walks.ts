/** An iterator over places from the newest to the oldest. */
export interface Walk {
  /** The newest place that is not newer than `place`; null if none is left. Each call must ask for the last one's `place` or an older one. */
  upTo(place: number): number | null;
  /** Frees the statement. Whoever made a walk must end it. */
  end(): void;
}

/** Reads the places before one, newest first and lazily. */
type Places = (before: number) => Iterator<number>;

/** How many places a walk steps over before it restarts at the place that is asked for: at first, and at most. */
const [leastPatience, mostPatience] = [4, 1024];

/**
 * Walks along places. If the next place that is asked for is far, the walk restarts there. A restart costs as much as some
 * hundred steps, so after each one it steps further before the next. With `restarts: false` it only steps.
 */
export function walkOf(places: Places, { restarts = true } = {}): Walk {
  let patience = restarts ? leastPatience : Infinity;
  let reading: Iterator<number> | undefined;
  let current = Infinity;
  const restart = (place: number) => {
    reading?.return?.();
    reading = places(place + 1);
    return step();
  };
  /** The next place, or -Infinity after the last one. */
  const step = (): number => {
    const { done, value } = reading!.next();
    return done ? -Infinity : value;
  };
  return {
    upTo(place) {
      if (!reading) current = restart(place);
      for (let steps = 0; current > place; steps++) {
        if (steps < patience) current = step();
        else {
          current = restart(place);
          patience = Math.min(2 * patience, mostPatience);
        }
      }
      return current === -Infinity ? null : current;
    },
    end: () => void reading?.return?.(),
  };
}

/**
 * The places before one that all walks have and none of the others, newest first. A walk is only asked for a place that all
 * walks before it have, so put the most expensive one last.
 */
export function* meetings(
  before: number,
  walks: readonly Walk[],
  without: readonly Walk[],
): Generator<number, void> {
  for (let place = before - 1; ; place--) {
    for (let agreed = 0; agreed < walks.length;) {
      const next = walks[agreed]!.upTo(place);
      if (next === null) return;
      agreed = next === place ? agreed + 1 : agreed === 0 ? 1 : 0;
      place = next;
    }
    if (!without.some((walk) => walk.upTo(place) === place)) yield place;
  }
}
