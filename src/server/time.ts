/** A time moved by seconds, in the form the log uses. */
export const afterSeconds = (time: string, seconds: number): string =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();

export const minuteSeconds = 60;
export const daySeconds = 86_400;
/** A key that is not used for this long ends, where it has no fixed end. */
export const idleKeySeconds = 90 * daySeconds;
/** How long a one-time code works. */
export const loginCodeSeconds = minuteSeconds;
/** How long a browser stays signed in. */
export const browserSessionSeconds = 30 * daySeconds;
/** How long a kept answer is given to repeats: exactly this, then the key is free. */
export const keptAnswerSeconds = daySeconds;
/** How long a machine's request for a key lasts, from asking to collecting. */
export const machineRequestSeconds = 5 * minuteSeconds;
/** A presence report that is older reads as `no_session`. */
export const presenceSeconds = 3 * minuteSeconds;
