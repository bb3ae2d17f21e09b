import { signal } from "@preact/signals";

/** The time as it is shown, in milliseconds since 1970. It moves twice a minute, so that ages stay true. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 30_000);

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayName = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
});
const dayAndYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
});
const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const longWeekday = new Intl.DateTimeFormat("en-GB", { weekday: "long" });
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });

/** Hours and minutes. */
export const timeOf = (at: string): string => clock.format(new Date(at));

const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
const dayMs = 86_400_000;

/** The number of midnights between a time and today. */
export const daysAgo = (at: string): number =>
  Math.round((midnight(now.value) - midnight(Date.parse(at))) / dayMs);

/** The day of a time: today, yesterday, or its name. */
export function dayOf(at: string): string {
  const days = daysAgo(at);
  return days === 0 ? "Today" : days === 1 ? "Yesterday" : dayName.format(new Date(at));
}

/** A day with its month, and with its year where that is another one: `9 November`. */
export function longDay(at: string): string {
  const date = new Date(at);
  const text = dayAndYear.format(date);
  return date.getFullYear() === new Date(now.value).getFullYear() ? text.slice(0, -5) : text;
}

/** How long ago, as short as a table needs it: `2 min`, `3 h`, `Tue`, `9 Nov`. */
export function ageOf(at: string): string {
  const minutes = Math.max(0, Math.floor((now.value - Date.parse(at)) / 60_000));
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return daysAgo(at) < 7 ? weekday.format(new Date(at)) : shortDay.format(new Date(at));
}

/** How long until a time: `now`, `in 54 min`, `in 3 h`, `in 2 days`. */
export function untilOf(at: string): string {
  const minutes = Math.ceil((Date.parse(at) - now.value) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `in ${minutes} min`;
  if (minutes < 48 * 60) return `in ${Math.round(minutes / 60)} h`;
  return `in ${Math.round(minutes / 60 / 24)} days`;
}

/** How long something took: `6 min`, `3 h`, `2 days`. */
export function spanOf(from: string, to: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  if (minutes < 1) return "a moment";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`;
  return `${Math.round(minutes / 60 / 24)} days`;
}

/** When something was: the time of today, and else its day: `10:19`, `yesterday`, `Monday`, `9 Nov`. */
export function whenOf(at: string): string {
  const days = daysAgo(at);
  if (days <= 0) return timeOf(at);
  if (days === 1) return "yesterday";
  return days < 7 ? longWeekday.format(new Date(at)) : shortDay.format(new Date(at));
}

/** A time of day, with the day unless it is today. */
export const momentOf = (at: string): string =>
  daysAgo(at) === 0
    ? timeOf(at)
    : daysAgo(at) === -1
      ? `tomorrow ${timeOf(at)}`
      : `${dayOf(at)} ${timeOf(at)}`;
