/** Places that are looked through from the newest to the oldest. */
export interface Walk {
  /** The newest that is no newer than `place`, which is no newer than the one asked for before; null where none is left. */
  upTo(place: number): number | null;
  /** Reads no more. Whoever made a walk ends it. */
  end(): void;
}

/** Reads the places before one, newest first, each when it is asked for. */
type Places = (before: number) => Iterator<number>;

/** How many places a walk steps over, at first and at the most, before it begins anew where it is wanted. */
const [leastPatience, mostPatience] = [4, 1024];

/**
 * Walks along places. What lies far between two that are asked for is not stepped over: each time that the walk begins
 * anew it becomes more patient, since beginning costs as much as some hundred steps. One that `restarts: false` is only
 * stepped along.
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
  /** The next place; -Infinity after the last. */
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
 * The places before one that all of some walks come to and none of others, newest first. A walk is asked where all before
 * it agree, so the last may be the dearest.
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
