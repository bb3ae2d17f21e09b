import type { Static } from "@sinclair/typebox";
import type { Policy as PolicySchema } from "../../contract/boards.ts";
import type { BoardRow } from "../../db/boards.ts";

export type Policy = Static<typeof PolicySchema>;

/** A board's policy now. */
export const policyOf = (board: BoardRow): Policy => JSON.parse(board.policy) as Policy;
