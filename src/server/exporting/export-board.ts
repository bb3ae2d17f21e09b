import { refuse } from "../../contract/refusal.ts";
import { hashAt } from "../../db/log/log.ts";
import type { Handler } from "../handler.ts";

/** What is exported: the board up to its head of this moment, or what came since an event. Whoever answers writes the archive from that. */
export const exportBoard: Handler<"exportBoard"> = (tx, { board }, { query: { since } }) => {
  const { id, name, row, head_seq } = board;
  if (since !== undefined && since > head_seq)
    throw refuse("export_begins_later", { board: name, seq: head_seq, since });
  const at = (seq: number) => ({ seq, hash: `sha256:${hashAt(tx, row, seq)}` });
  return { board_id: id, board: name, ...at(head_seq), since: since ? at(since) : null };
};
