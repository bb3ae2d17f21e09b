import { boardAt } from "../../db/boards.ts";
import type { Handler } from "../handler.ts";
import { currentTask } from "../tasks/views.ts";

export const getMe: Handler<"getMe"> = (tx, { caller: { kind, person, seat } }) =>
  seat
    ? {
        id: seat.id,
        kind: "agent",
        name: seat.name,
        board: boardAt(tx, seat.board_row)?.name ?? null,
        owner: person.handle,
        browser: false,
        server_role: null,
        display_name: null,
        delivery_mode: seat.delivery_mode,
        delivery_revision: seat.delivery_revision,
        current_task: currentTask(tx, seat.row),
      }
    : {
        id: person.id,
        kind: "human",
        name: person.handle,
        board: null,
        owner: null,
        browser: kind === "browser",
        server_role: person.server_role,
        display_name: person.display_name,
        delivery_mode: null,
        delivery_revision: null,
        current_task: null,
      };
