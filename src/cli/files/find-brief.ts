import type { OutputOf } from "../../contract/index.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Place } from "../acting/place-of.ts";

/** A board's brief, as the board describes it. */
export type Brief = NonNullable<OutputOf<"getBoard">["brief"]>;

/** The board's brief; null when it has none. Refuses a caller who is not on the board. */
export async function briefOn({ api, board }: Place): Promise<Brief | null> {
  const params = { board };
  const { brief } = await api.call("getBoard", { params });
  // A board leaves its brief out for people who are not on it. Listing its files gives them the refusal.
  if (brief === undefined) await api.call("listFiles", { params, query: { limit: 1 } });
  return brief ?? null;
}

/** The board's brief. Refuses a board without one. */
export async function briefThere(place: Place): Promise<Brief> {
  const brief = await briefOn(place);
  if (brief) return brief;
  throw new LocalError(
    "file_not_found",
    `Board ${place.board} has no brief yet.`,
    `Anyone on it but a guest may write one: ${place.hinted("brief put brief.md")}.`,
  );
}
