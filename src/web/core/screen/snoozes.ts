/** A time until which something can be put off, in words. */
interface Snooze {
  readonly label: string;
  readonly until: Date;
  /** The time as the end of a sentence. */
  readonly words: string;
}

const eveningHour = 18;
const morningHour = 9;
/** A time that is nearer than this is no time to put something off to. */
const leastMs = 45 * 60_000;

/** The times until which something can be put off now. */
export function snoozesAt(now: Date): readonly Snooze[] {
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
  const evening = at(0, eveningHour);
  // Sunday is the first day of a week of Date.
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    {
      label: "For an hour",
      until: new Date(now.getTime() + 3_600_000),
      words: "an hour from now",
    },
    ...(evening.getTime() - now.getTime() > leastMs
      ? [{ label: "Until this evening", until: evening, words: "18:00" }]
      : []),
    { label: "Until tomorrow", until: at(1, morningHour), words: "tomorrow, 09:00" },
    ...(toMonday > 1
      ? [{ label: "Until Monday", until: at(toMonday, morningHour), words: "Monday, 09:00" }]
      : []),
  ];
}
