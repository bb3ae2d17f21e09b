import type { Typed } from "../../../agent-text/directions.ts";
import { remindersOf, type Reminder, type Work } from "../../../agent-text/work-text.ts";
import type { Clock } from "../../loop/clock.ts";
import type { HeldSeat } from "../held/bundle.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";
import { placeOf } from "./places.ts";

/** When a reminder may come: at the start of a turn, or at a tool of one. */
export type Moment = "turn_start" | "tool";

/** How old what is known of an agent's work may be while a turn runs. */
const workMs = 60_000;

/**
 * The reminders that are due for a session, each once, or null. What the stream said of an agent's work may be old, so
 * the server is asked before anything is said. A server that does not answer gives no reminder.
 */
export async function dueReminders(
  session: LiveSession,
  seats: readonly HeldSeat[],
  moment: Moment,
  { clock, typed }: { readonly clock: Clock; readonly typed: Typed },
): Promise<string | null> {
  const lines: string[] = [];
  for (const seat of seats) {
    const { feed } = seat;
    if (!feed.connected) continue;
    const place = placeOf(feed.agent, seats, typed);
    const key = ({ code, onceFor }: Reminder) => `${seatKeyOf(feed.agent)} ${code} ${onceFor}`;
    const due = (work: Work | null) =>
      (work ? remindersOf(place.board, work, clock.now(), place.typed) : []).filter(
        (one) =>
          (moment === "turn_start" || one.code === "pause_late") && !session.reminded.has(key(one)),
      );
    if (due(feed.work).length === 0) {
      if (clock.elapsed() - feed.workAt >= workMs) void feed.readWork();
      continue;
    }
    for (const one of due((await feed.readWork())?.work ?? null)) {
      session.reminded.add(key(one));
      lines.push(one.text);
    }
  }
  return lines.length === 0 ? null : lines.join("\n");
}
