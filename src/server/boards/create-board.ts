import type { InputOf } from "../../contract/index.ts";
import type { EventData } from "../../contract/log.ts";
import { refuse } from "../../contract/refusal.ts";
import { boardNamed, boardNameTaken, boardWithId, newLog, type BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { activeMembership, type MemberRow } from "../../db/members.ts";
import { seeing } from "../access/visible-boards.ts";
import type { Caller } from "../access/identify.ts";
import { restorersOf } from "../access/archived-boards.ts";
import { adminsOf, isServerAdmin } from "../access/server-admin.ts";
import type { Handler, Recheck, RefusalRecheck } from "../handler.ts";
import { newId } from "../ids.ts";
import { settings } from "../info.ts";
import { freeBoardName } from "../names.ts";
import { recordAs } from "../record.ts";
import { beginStay, joinedPerson } from "./begin-stay.ts";
import { presetPolicy } from "./policy-presets.ts";
import { rolesOfTemplate, templates } from "./templates.ts";
import { titleFrom } from "./title.ts";
import { boardRecord } from "./views.ts";

export const createBoard: Handler<"createBoard"> = (tx, { caller }, { body }) => {
  const { board, me } = makeBoard(tx, caller, body);
  return boardRecord(tx, board, me, caller);
};

/** Makes a board with the caller's person as its first owner. `besides` is added to the event `board.created`. */
export function makeBoard(
  tx: Tx,
  caller: Caller,
  body: InputOf<"createBoard">["body"],
  besides: Pick<EventData<"board.created">, "agent_id" | "via" | "delegation_id"> = {},
): { board: BoardRow; me: MemberRow } {
  const { person } = caller;
  // The right to make boards is the person's, so an admin's delegation has it too.
  if (settings(tx).board_creation === "admins" && !isServerAdmin(person))
    throw refuse("board_creation_restricted", { admins: adminsOf(tx) });
  const templateName = body.template ?? "general";
  const template = Object.hasOwn(templates, templateName) ? templates[templateName] : undefined;
  if (!template)
    throw refuse("template_not_found", {
      template: templateName,
      templates: Object.keys(templates).join(", "),
    });
  const title = titleFrom(body.title);
  if (body.name && boardNameTaken(tx, body.name)) throw collision(tx, caller, body.name);

  const { visibility = "open" } = body;
  const log = newLog(tx, newId(tx, "brd"));
  const memberId = newId(tx, "mem");
  const actor = { kind: "human", member_id: memberId, name: person.handle, owner: null } as const;
  recordAs(tx, log, actor, "board.created", {
    board_id: log.id,
    name: body.name ?? freeBoardName(tx, templateName),
    template: templateName,
    charter: body.charter ?? template.charter,
    roles: rolesOfTemplate(template),
    policy: presetPolicy(body.preset ?? "starter"),
    agents_add_people: visibility === "open",
    ...(title && { title }),
    ...(visibility === "private" && { visibility }),
    ...besides,
  });
  const me = beginStay(
    tx,
    log,
    actor,
    joinedPerson({
      member_id: memberId,
      person_id: person.id,
      name: person.handle,
      access: "admin",
      join_code_id: null,
    }),
  );
  return { board: boardWithId(tx, log.id)!, me };
}

/** The refusal of a taken name. Only a caller on the board that has it learns that it is archived. */
function collision(tx: ReadTx, caller: Caller, name: string) {
  const board = boardNamed(tx, name);
  return board?.lifecycle === "archived" && activeMembership(tx, board.row, caller.person.row)
    ? refuse("board_name_archived", { board: name, restorers: restorersOf(tx, board) })
    : refuse("board_name_taken", { board: name });
}

/** A kept refusal may say that an archived board has the name. Whether the caller may know that is decided again. */
export const collidedAgain: RefusalRecheck<"createBoard"> &
  RefusalRecheck<"createDelegatedBoard"> = (tx, { caller }, { body }, _, code) => {
  if (code === "board_name_taken") throw collision(tx, caller, body.name!);
};

/** A replay needs a caller who sees the board now. */
export const createBoardAgain: Recheck<"createBoard"> = (tx, { caller }, kept) =>
  void seeing(tx, caller, boardWithId(tx, kept.id), kept.name);
