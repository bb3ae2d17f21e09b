/** Whether much is tried: `npm run test:long` sets TEST_SEED to a new number, which it prints. */
const { TEST_SEED } = process.env;
const isLong = TEST_SEED !== undefined;

/** So many times as much is tried then, and may take so many times as long. */
const more = 10;

/** What all that is drawn at random begins with: the same number each time, unless much is tried. */
export const seed = Number(TEST_SEED ?? 1);

/** How often a property is tried, of which so many times are enough to find what broke since the last change. */
export const tries = (runs: number) => ({ numRuns: timesMore(runs), seed });

/** A number of rounds, or of milliseconds that a test may take, and more of them when much is tried. */
export const timesMore = (number: number): number => (isLong ? number * more : number);

/** A size that has one value in the suite, and another when much is tried. */
export const sized = (inSuite: number, inLong: number): number => (isLong ? inLong : inSuite);
