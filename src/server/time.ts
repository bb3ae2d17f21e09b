/** A time moved by seconds, in the form the log uses. */
export const afterSeconds = (time: string, seconds: number): string =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();

/** A time of any zone in that form, or null when the calendar has no such time. */
export function instant(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const time = Date.parse(text);
  const hasDay = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  // Before the year 0 and beyond 9999 a time has another form; a zone can move it there.
  const hasForm = time >= Date.parse("0000-01-01T00:00:00Z") && time < Date.UTC(10_000, 0);
  return hasDay && hasForm ? new Date(time).toISOString() : null;
}

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
/** How long a pairing request lasts. */
export const pairingSeconds = daySeconds;
/** How long a pairing request is listed. */
export const listedPairingSeconds = 7 * daySeconds;
/** How long the credential of a session that is being paired works. */
export const pairingCredentialSeconds = 10 * minuteSeconds;
/** A presence report that is older reads as `no_session`. */
export const presenceSeconds = 3 * minuteSeconds;
/** What a daemon says of its delivery queue holds this long. */
export const queueReportSeconds = 45;
