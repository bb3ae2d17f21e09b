import { LocalError } from "../../client/machine/local-error.ts";
import type { Seat } from "../../client/machine/seats.ts";

/** The refusal of a name that several agents have. */
export function ambiguous(seats: readonly Seat[]): LocalError {
  const boards = seats.map(({ board }) => board).sort();
  return new LocalError(
    "agent_ambiguous",
    `This machine has agents named ${seats[0]!.name} on several boards: ${placesOf(seats)}.`,
    howToChoose(seats),
    { boards },
  );
}

/** The refusal of a command that does not say on which board of its session it acts. */
export function boardAmbiguous(held: readonly Seat[]): LocalError {
  const boards = [...new Set(held.map(({ board }) => board))].sort();
  return new LocalError(
    "board_ambiguous",
    `This session has seats on several boards: ${placesOf(held)}.`,
    howToChoose(held),
    { boards, seats: held.map(({ board, name }) => ({ board, name })) },
  );
}

/** Servers know nothing of each other: two of them may have a board of one name, and on it an agent of one name. */
const haveOneName = (seats: readonly Seat[]): boolean =>
  new Set(seats.map(({ board }) => board)).size < seats.length;

const placesOf = (seats: readonly Seat[]): string =>
  seats
    .map(({ board, server }) => (haveOneName(seats) ? `${board} at ${server}` : board))
    .sort()
    .join(", ");

const howToChoose = (seats: readonly Seat[]): string =>
  haveOneName(seats)
    ? `Add one of these: ${seats.map((seat) => `\`--as ${seat.member_id}\` (${seat.name} on ${seat.board} at ${seat.server})`).join(", ")}.`
    : "Add `--board NAME`.";
