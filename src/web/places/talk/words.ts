import type { Message } from "../../core/talk/talk.ts";
import { daysAgo, dayOf, timeOf } from "../../core/screen/time.ts";
import { me } from "../../core/boards/overview.ts";
import { named } from "../../parts/who.tsx";

/** A moment as a sentence needs it: `14:10`, `yesterday 14:10`, `Tuesday 17 November 14:10`. */
export function momentOf(at: string): string {
  const days = daysAgo(at);
  if (days === 0) return timeOf(at);
  return `${days === 1 ? "yesterday" : dayOf(at)} ${timeOf(at)}`;
}

/** A number of things: `1 message`, `2 messages`. */
export const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en-GB")} ${what}${count === 1 ? "" : "s"}`;

/** Who asks the reader something in these messages: `, ada asks you`. Nothing if nobody does. */
export function askers(messages: readonly Message[]): string {
  const asking = messages.filter(
    ({ ask }) =>
      ask?.state === "open" &&
      ask.to.kind === "human" &&
      ask.to.name === me.value &&
      ask.to.origin === undefined,
  );
  const names = [...new Set(asking.map(({ from }) => named(from)))];
  if (names.length === 0) return "";
  return names.length === 1 ? `, ${names[0]} asks you` : `, ${names.length} ask you`;
}
