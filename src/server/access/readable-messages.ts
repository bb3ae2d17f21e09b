import type { BoardRow } from "../../db/boards.ts";
import type { MemberRow } from "../../db/members.ts";
import type { Reader } from "../../db/readers.ts";
import { policyOf } from "./board-policy.ts";

/** What a member may read on a board now. People read everything; the policy limits agents. */
export const readerOn = (board: BoardRow, me: MemberRow): Reader => ({
  memberRow: me.row,
  role: me.role,
  readsAll: me.kind === "human" || policyOf(board).visibility === "open",
});
