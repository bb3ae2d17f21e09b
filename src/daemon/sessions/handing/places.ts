import { shellWord } from "../../../contract/shell-word.ts";
import type { Typed } from "../../../agent-text/directions.ts";
import type { DaemonAgent } from "../../../client/machine/daemon-wire.ts";
import type { HeldSeat } from "../held/bundle.ts";

/** How the texts of a session speak of one of its boards. */
export interface Place {
  /** The board, with its server if the session has seats on several. */
  readonly board: string;
  /** Writes commands that act there. */
  readonly typed: Typed;
}

/** How the texts of a session speak of the board of one of its seats. */
export function placeOf(
  { server, board, name, member_id }: DaemonAgent,
  seats: readonly Pick<HeldSeat, "feed">[],
  typed: Typed,
): Place {
  const all = seats.map(({ feed }) => feed.agent);
  const isOnSeveral = new Set(all.map((one) => one.server)).size > 1;
  // Servers know nothing of one another, so two of them may have a board of the same name.
  const there = all.filter((one) => one.board === board);
  const alike = there.filter((one) => one.name === name);
  // Nor of each other's agents: where two have one name on such a board, only the id tells which is meant.
  const as = ` --as ${shellWord(alike.length > 1 ? member_id : name)}`;
  const flags = `--board ${shellWord(board)}${there.length > 1 ? as : ""}`;
  return {
    board: isOnSeveral ? `${board} at ${server}` : board,
    typed: all.length > 1 ? (words) => typed(`${words} ${flags}`) : typed,
  };
}
