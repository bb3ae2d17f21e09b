import { peopleOf } from "../../db/members.ts";
import type { Handler } from "../handler.ts";
import { boardPersonRecord } from "./views.ts";

export const listPeople: Handler<"listPeople"> = (tx, { board }) => ({
  board: board.name,
  visibility: board.visibility,
  people: peopleOf(tx, board.row).map((member) => boardPersonRecord(tx, board, member)),
});
