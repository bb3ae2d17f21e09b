/** Adds seconds to a time. The result has the form of the log. */
export const afterSeconds = (time: string, seconds: number): string =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();

/** Converts a time of any zone to the form of the log; null if the calendar has no such time. */
export function instant(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const time = Date.parse(text);
  const hasDay = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  // Before the year 0 and after 9999 a time has another form, and its zone can move it there.
  const hasForm = time >= Date.parse("0000-01-01T00:00:00Z") && time < Date.UTC(10_000, 0);
  return hasDay && hasForm ? new Date(time).toISOString() : null;
}

export const minuteSeconds = 60;
export const daySeconds = 86_400;
/** A key without a fixed end ends after this time without use. */
export const idleKeySeconds = 90 * daySeconds;
/** How long a one-time code works. */
export const loginCodeSeconds = minuteSeconds;
/** How long a browser stays signed in. */
export const browserSessionSeconds = 30 * daySeconds;
/** How long repeats get a kept answer. After that the idempotency key is free. */
export const keptAnswerSeconds = daySeconds;
/** How long a machine's request for a key is valid, from its start to the collection of the key. */
export const machineRequestSeconds = 5 * minuteSeconds;
/** How long a pairing request is valid. */
export const pairingSeconds = daySeconds;
/** How long a pairing request is listed. */
export const listedPairingSeconds = 7 * daySeconds;
/** How long the credential of a session works while it is being paired. */
export const pairingCredentialSeconds = 10 * minuteSeconds;
/** An older presence report counts as `no_session`. */
export const presenceSeconds = 3 * minuteSeconds;
/** How long an agent still counts as waiting after it has stopped to wait for messages. */
export const heldInboxSeconds = minuteSeconds;
/** How long a daemon's report about its delivery queue is valid. */
export const queueReportSeconds = 45;
