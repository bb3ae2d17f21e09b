import { modeChangedLine } from "../../../agent-text/delivery-rules.ts";
import { placeOf } from "./places.ts";
import type { HeldSeat } from "../held/bundle.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";

/** Notes the modes of seats whose mode was never told: a command or the session's note has just said it. */
export function noteModes({ toldModes }: LiveSession, seats: readonly HeldSeat[]): void {
  for (const { feed } of seats) {
    const key = seatKeyOf(feed.agent);
    if (feed.isKnown && !toldModes.has(key)) toldModes.set(key, feed.mode);
  }
}

/** A line for each seat whose mode is another one than the session was last told. */
export const changedModes = (
  { toldModes }: LiveSession,
  seats: readonly HeldSeat[],
): readonly string[] =>
  seats.flatMap(({ feed }) => {
    const before = toldModes.get(seatKeyOf(feed.agent));
    if (!feed.isKnown || before === undefined || before === feed.mode) return [];
    const { board } = placeOf(feed.agent, seats, (words) => words);
    return [modeChangedLine(board, before, feed.mode)];
  });

/**
 * Notes that a text tells the modes of the seats. One that is added to a running turn is read at once; with one that wakes
 * the session, or that its harness takes, they count as told once its turn is seen.
 */
export function tellModes(
  session: LiveSession,
  seats: readonly HeldSeat[],
  handoff: string | null,
): void {
  const modes = seats.flatMap(({ feed }) =>
    feed.isKnown ? [[seatKeyOf(feed.agent), feed.mode] as const] : [],
  );
  session.telling = { handoff, modes };
  if (handoff === null) modesTold(session, null);
}

/** Notes that the turn of a text was seen. */
export function modesTold({ telling, toldModes }: LiveSession, handoff: string | null): void {
  if (telling?.handoff !== handoff) return;
  for (const [key, mode] of telling.modes) toldModes.set(key, mode);
}
