import { mostListed } from "../../contract/limits.ts";
import { extend, genesis, type Chain, type Fault } from "../../client/verify.ts";
import { ApiError, type Client } from "../../client/client.ts";
import type { Head } from "../../client/machine/audit-heads.ts";
import { pagesAfter } from "../connection/pages.ts";

/** What a check of a board's log found. */
export interface Audit {
  /** Null when no event could be read. */
  readonly board_id: string | null;
  /** The last event that holds, and how many were checked and had their data withheld. */
  readonly chain: Chain;
  readonly first_bad: null | { readonly seq: number; readonly reason: Fault | "history_rewritten" };
  /** The head that was verified before, and whether it is still part of the log. Null when there was none. */
  readonly pinned_head: null | (Head & { readonly matches: boolean });
}

/**
 * Reads a board's whole log, page by page, and checks that each event follows from the one before and from the pinned
 * head, which `pinnedFor` knows by the board's id.
 */
export async function audit(
  api: Client,
  board: string,
  pinnedFor: (boardId: string) => Head | null,
): Promise<Audit> {
  let chain = genesis;
  let id: string | null = null;
  let pinned: Head | null = null;
  let matches = false;
  const ended = (reason: Fault | "history_rewritten" | null, seq = chain.seq + 1): Audit => ({
    board_id: id,
    chain,
    first_bad: reason && { seq, reason },
    pinned_head: pinned && { ...pinned, matches },
  });
  const read = (after: number) =>
    api.call("listEvents", { params: { board }, query: { after, limit: mostListed } });
  try {
    for await (const { events } of pagesAfter(0, read))
      for (const event of events) {
        if (id === null) pinned = pinnedFor((id = event.board_id));
        const longer = extend(chain, event);
        if (typeof longer === "string") return ended(longer);
        if (pinned && event.seq === pinned.seq) {
          matches = event.hash === pinned.hash;
          if (!matches) return ended("history_rewritten", event.seq);
        }
        chain = longer;
      }
  } catch (error) {
    return ended(...damage(error));
  }
  return pinned && !matches ? ended("history_rewritten", pinned.seq) : ended(null);
}

/** Why and where the server cannot read the log any further. Throws any other error again. */
function damage(error: unknown): [Fault, number] {
  if (!(error instanceof ApiError && error.code === "record_damaged")) throw error;
  const { reason, seq } = error.details as { reason: Fault; seq: number };
  return [reason, seq];
}
