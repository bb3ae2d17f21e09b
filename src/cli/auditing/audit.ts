import { mostListed } from "../../contract/limits.ts";
import { digestsOf, extend, genesis, type Chain, type Fault } from "../../client/verify.ts";
import { ApiError } from "../../client/client.ts";
import { comparing, type KeptHeads, type Restored } from "../../client/compare-heads.ts";
import { thinned, type Head } from "../../client/thinned-heads.ts";
import type { Api } from "../connection/api.ts";
import { generationOf } from "../connection/generation.ts";
import { pagesAfter } from "../connection/pages.ts";

/** What a check of a board's log found. */
export interface Audit {
  /** Null when no event could be read. */
  readonly board_id: string | null;
  /** The last event that holds, and how many were checked and had their data withheld. */
  readonly chain: Chain;
  readonly first_bad: null | { readonly seq: number; readonly reason: Fault | "history_rewritten" };
  /** The restore that took back heads which were verified before. */
  readonly restored: Restored | null;
  /** The heads that were verified before. */
  readonly before: KeptHeads | null;
  /** The newest of them, and whether it is still part of the log. Null when there was none. */
  readonly pinned_head: null | (Head & { readonly matches: boolean });
  /** The heads to keep when the log holds. Null for an empty log. */
  readonly verified: KeptHeads | null;
}

/** How many heads are collected before they are thinned, so that a long log takes little memory. */
const mostCollected = 1_024;

/**
 * Reads a board's whole log, page by page, and checks that each event follows from the one before, and that the log has
 * the heads that were verified before, which `keptFor` knows by the board's id.
 */
export async function audit(
  api: Api,
  board: string,
  keptFor: (boardId: string) => KeptHeads | null,
): Promise<Audit> {
  const generation = (await generationOf(api)) ?? null;
  let chain = genesis;
  let id: string | null = null;
  let before: KeptHeads | null = null;
  let kept = comparing(null);
  let heads: Head[] = [];
  function ended(bad: Audit["first_bad"], restored: Restored | null = null): Audit {
    const newest = before?.heads.at(-1);
    return {
      board_id: id,
      chain,
      first_bad: bad,
      restored,
      before,
      pinned_head: newest ? { ...newest, matches: kept.allAgree() } : null,
      verified: id === null ? null : { server_generation: generation, heads: thinned(heads) },
    };
  }
  const rewritten = (seq: number) => ended({ seq, reason: "history_rewritten" });
  const read = (after: number) =>
    api.call("listEvents", { params: { board }, query: { after, limit: mostListed } });
  try {
    for await (const { events } of pagesAfter(0, read))
      for (const event of events) {
        if (id === null) kept = comparing((before = keptFor((id = event.board_id))));
        const longer = extend(chain, event, await digestsOf(event, sha256));
        if (typeof longer === "string") return ended({ seq: chain.seq + 1, reason: longer });
        if (!kept.mayFollow(event)) return rewritten(event.seq);
        chain = longer;
        heads.push({ seq: event.seq, hash: event.hash });
        if (heads.length > mostCollected) heads = thinned(heads);
      }
  } catch (error) {
    return ended(damage(error));
  }
  const result = kept.atEnd(generation);
  return typeof result === "number" ? rewritten(result) : ended(null, result);
}

const sha256 = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");

/** Why and where the server cannot read the log any further. Throws any other error again. */
function damage(error: unknown): { readonly seq: number; readonly reason: Fault } {
  if (!(error instanceof ApiError && error.code === "record_damaged")) throw error;
  return error.details as { reason: Fault; seq: number };
}
