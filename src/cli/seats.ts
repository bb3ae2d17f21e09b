import { join } from "node:path";
import type { Cli } from "./cli.ts";
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

type Files = Pick<Cli, "folders" | "learned">;
const fields = ["server", "board", "name", "member_id", "token"];
const seatsFile = (cli: Files): JsonFile<readonly Seat[]> => ({
  path: join(cli.folders.config, "credentials.json"),
  holds: (content): content is readonly Seat[] => Array.isArray(content) && content.every(isSeat),
});

const isSeat = (seat: unknown): boolean =>
  hasTexts(seat, fields) && isReached(seat as Seat) && isCredential((seat as Seat).token);
const isReached = ({ server }: Seat) => server === "local" || isServerAddress(server);

/** The seats of this machine's agents, oldest first. */
export const readSeats = (cli: Files): readonly Seat[] => cli.learned.json(seatsFile(cli)) ?? [];

/** Saves a seat, in place of one with the same id. */
export const saveSeat = (cli: Files, seat: Seat): void => withoutSeat(cli, seat.member_id, [seat]);

/** Forgets the seat of an agent that is no more. */
export const forgetSeat = (cli: Files, memberId: string): void => withoutSeat(cli, memberId, []);

const withoutSeat = (cli: Files, memberId: string, added: Seat[]) =>
  cli.learned.change(seatsFile(cli), [], (seats) => [
    ...seats.filter(({ member_id }) => member_id !== memberId),
    ...added,
  ]);

/** Forgets every seat of which `ended` is true. */
export function forgetSeats(cli: Files, ended: (seat: Seat) => boolean): void {
  if (readSeats(cli).some(ended))
    cli.learned.change(seatsFile(cli), [], (seats) => seats.filter((seat) => !ended(seat)));
}
