import { join } from "node:path";
import { Unreachable } from "../errors.ts";
import type { Machine } from "./machine.ts";
import { hasTexts, isCredential, type JsonFile } from "./private-files.ts";
import { isServerAddress } from "./server-address.ts";

/** An agent's seat on a board, with its token. `board` and `name` are for people; `member_id` is the key. */
export interface Seat {
  /** `local`, or the server's address. */
  readonly server: string;
  readonly board: string;
  readonly name: string;
  readonly member_id: string;
  readonly token: string;
}

/** This machine has the token of a seat no more: its agent left, or was removed by a command here. */
export class SeatForgotten extends Unreachable {
  override readonly name = "Unreachable";
  constructor(agent: string) {
    super(`This machine no longer has the token of ${agent}.`);
  }
}

type Files = Pick<Machine, "folders" | "learned">;
const fields = ["server", "board", "name", "member_id", "token"];
const seatsFile = (machine: Files): JsonFile<readonly Seat[]> => ({
  path: join(machine.folders.config, "credentials.json"),
  holds: (content): content is readonly Seat[] => Array.isArray(content) && content.every(isSeat),
});

const isSeat = (seat: unknown): boolean =>
  hasTexts(seat, fields) && isReached(seat as Seat) && isCredential((seat as Seat).token);
const isReached = ({ server }: Seat) => server === "local" || isServerAddress(server);

/** The seats of this machine's agents, oldest first. */
export const readSeats = (machine: Files): readonly Seat[] =>
  machine.learned.json(seatsFile(machine)) ?? [];

/** Saves a seat, in place of one with the same id. */
export const saveSeat = (machine: Files, seat: Seat): void =>
  machine.learned.change(seatsFile(machine), [], (seats) => [
    ...seats.filter(({ member_id }) => member_id !== seat.member_id),
    seat,
  ]);

/** Forgets the seat of an agent that has ended. */
export const forgetSeat = (machine: Files, memberId: string): void =>
  forgetSeats(machine, ({ member_id }) => member_id === memberId);

/** Forgets every seat for which `ended` is true. */
export function forgetSeats(machine: Files, ended: (seat: Seat) => boolean): void {
  if (readSeats(machine).some(ended))
    machine.learned.change(seatsFile(machine), [], (seats) => seats.filter((seat) => !ended(seat)));
}
