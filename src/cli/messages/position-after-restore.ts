import { mostListed } from "../../contract/limits.ts";
import type { Client } from "../../client/client.ts";

/** So many pages of a log are looked through for the event of a restore. */
const mostPages = 50;

/**
 * The position from which a board is read on after the server was restored from a backup: where the restore put the log
 * back, if that is before `position`. If the log does not say that, only a position beyond its head is dropped.
 */
export async function positionAfterRestore(
  api: Client,
  board: string,
  position: number,
  signal: AbortSignal,
): Promise<number> {
  const params = { board };
  const { head_seq } = await api.call("getBoard", { params }, { signal });
  // The restore was a moment ago, so its event is near the end.
  for (let page = 0, end = head_seq; page < mostPages && end > 0; page++) {
    const after = Math.max(0, end - mostListed);
    const query = { after, limit: end - after };
    const { events } = await api.call("listEvents", { params, query }, { signal });
    const rollback = events.find(({ type }) => type === "board.rolled_back");
    if (rollback) return Math.min(position, rollback.seq);
    end = after;
  }
  return Math.min(position, head_seq);
}
