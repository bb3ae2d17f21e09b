import { roleNameForm } from "./forms.ts";
import { mostBoardsListed } from "./limits.ts";
import { closed, nullable, oneOf, optional, record, t, text } from "./schema.ts";
import { BriefSummary } from "./file-record.ts";
import { permissions } from "./access.ts";
import { callers, operation } from "./operation.ts";
import {
  Actor,
  BoardId,
  BoardName,
  BoardParams,
  BoardTitle,
  BoardVisibility,
  Charter,
  Count,
  Handle,
  MemberId,
  MemberName,
  MemberRef,
  PersonId,
  DisplayName,
  Seq,
  ServerRole,
  TaskPrefix,
  Timestamp,
} from "./scalars.ts";

export const Role = record({
  can: t.Array(
    t.Union([oneOf(...permissions), closed({ claim_tasks: t.Array(t.String(), { minItems: 1 }) })]),
  ),
  charter: t.Optional(text({ maxLength: 4000 })),
});
export const Roles = t.Record(t.String({ pattern: roleNameForm }), Role);

const preset = oneOf("starter", "recommended");
/** Each key of a policy that may be set beside its preset, in the order in which `overrides` names them. */
const policyKeys = {
  visibility: oneOf("open", "addressed"),
  broadcast: oneOf("everyone", "granted"),
  urgent: oneOf("everyone", "granted"),
  nudges: oneOf("on", "off"),
  show_harness: t.Boolean(),
};
export const Policy = record({
  preset,
  ...policyKeys,
  overrides: t.Array(oneOf("visibility", "broadcast", "urgent", "nudges", "show_harness")),
});
export const PolicyChange = closed(optional({ preset, ...policyKeys }), { minProperties: 1 });

/** Where a board went on, which stays archived here. */
const MovedTo = record({ server: t.String(), board_id: BoardId });

export const Board = record({
  id: BoardId,
  name: BoardName,
  title: nullable(BoardTitle),
  visibility: BoardVisibility,
  lifecycle: oneOf("active", "archived"),
  can_archive: t.Boolean(),
  can_restore: t.Boolean(),
  can_delete: t.Boolean(),
  moved_to: t.Optional(MovedTo),
  on_board: t.Boolean(),
  template: nullable(t.String()),
  charter: Charter,
  roles: Roles,
  policy: Policy,
  agents_add_people: t.Boolean(),
  task_prefix: nullable(TaskPrefix),
  head_seq: Seq,
  message_count: nullable(Count),
  last_message_at: nullable(Timestamp),
  created_at: Timestamp,
  created_by: MemberRef,
  read_up_to: t.Optional(Seq),
  unread: t.Optional(Count),
  needs_reply: t.Optional(Count),
  tasks_open: t.Optional(Count),
  asks_to_me: t.Optional(record({ blocking: Count, going_with: Count })),
  file_count: t.Optional(Count),
  people_count: t.Optional(Count),
  agent_count: t.Optional(Count),
  brief: t.Optional(nullable(BriefSummary)),
  added: t.Optional(record({ seq: Seq, at: Timestamp, by: Actor })),
});

const { charter, roles, policy } = Board.properties;
/** A board in a list. The short list leaves out what may be long. */
export const ListedBoard = record({
  ...Board.properties,
  ...optional({ charter, roles, policy }),
});

/** A private board, as a server admin who is not on it sees it. */
export const HiddenBoard = record({
  id: BoardId,
  visibility: t.Literal("private"),
  lifecycle: oneOf("active", "archived"),
  can_archive: t.Boolean(),
  can_restore: t.Boolean(),
  can_delete: t.Boolean(),
  moved_to: t.Optional(MovedTo),
  created_at: Timestamp,
  created_by: record({ id: PersonId, handle: Handle }),
  people: Count,
});

export const BoardPerson = record({
  id: PersonId,
  handle: Handle,
  display_name: nullable(DisplayName),
  board: BoardName,
  name: MemberName,
  member_id: MemberId,
  board_role: oneOf("owner", "member"),
  server_role: ServerRole,
  joined_at: Timestamp,
});

/** The optional properties of a new board. */
export const boardBody = {
  name: t.Optional(BoardName),
  title: t.Optional(BoardTitle),
  template: t.Optional(text({ maxLength: 40 })),
  charter: t.Optional(Charter),
  preset: t.Optional(preset),
  visibility: t.Optional(BoardVisibility),
};

export const createBoard = operation({
  method: "POST",
  path: "/v1/boards",
  tag: "boards",
  summary: "Make a board",
  description:
    "The caller becomes its first owner. Without a name the board is named after its template, with a number if that name is taken. The charter replaces that of the template.",
  success: 201,
  access: "caller",
  callers: callers.people,
  replay: "kept",
  body: closed(boardBody),
  response: Board,
  errors: [
    "board_creation_restricted",
    "board_name_taken",
    "board_name_archived",
    "template_not_found",
    "invalid_combination",
    "board_not_found",
  ],
});

export const listBoards = operation({
  method: "GET",
  path: "/v1/boards",
  tag: "boards",
  summary: "List the boards the caller is on",
  description:
    "For a person `all=true` adds the open boards that they are not on, and for a server admin also, in `hidden_boards`, the private ones that they are not on, without name or content. `lifecycle` selects active or archived boards; `archived_count` always counts the archived ones. An agent gets its own board. A machine's delegation gets every board that its person can see, with the numbers of people and agents on it, and never a hidden one. `form=short` leaves out charters, roles, policies and `archived_count`, and gives the boards page by page, hidden ones among them, in the order in which they were made. Pass `next` as `after` to go on. A board that the caller can see all the while comes exactly once, whatever is made, renamed or deleted between the pages.",
  access: "caller",
  callers: callers.all,
  guests: true,
  query: closed({
    all: t.Optional(t.Boolean({ default: false })),
    lifecycle: t.Optional({ ...oneOf("active", "archived", "all"), default: "active" }),
    form: t.Optional(oneOf("short")),
    after: t.Optional(BoardId),
    limit: t.Optional(t.Integer({ minimum: 1, maximum: mostBoardsListed })),
  }),
  response: record({
    boards: t.Array(ListedBoard),
    archived_count: t.Optional(Count),
    hidden_boards: t.Optional(t.Array(HiddenBoard)),
    next: t.Optional(nullable(BoardId)),
  }),
  errors: ["invalid_combination"],
});

export const getBoard = operation({
  method: "GET",
  path: "/v1/boards/:board",
  tag: "boards",
  summary: "Read one board",
  access: "sees-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  response: Board,
  errors: [],
});

export const updateBoard = operation({
  method: "PATCH",
  path: "/v1/boards/:board",
  tag: "boards",
  summary: "Change a board's title, policy, task prefix, or whether agents may add people",
  description:
    "All parts of a request change together or not at all. `policy.preset` replaces the whole policy, then the other keys of the request override it. An empty title removes the title. An agent may change title and prefix for a person who owns the board.",
  access: "administers-board",
  callers: callers.members,
  forPeople: ["policy", "agents_add_people"],
  replay: "kept",
  params: BoardParams,
  body: closed(
    {
      title: t.Optional(BoardTitle),
      policy: t.Optional(PolicyChange),
      agents_add_people: t.Optional(t.Boolean()),
      task_prefix: t.Optional(TaskPrefix),
    },
    { minProperties: 1 },
  ),
  response: Board,
  errors: ["board_archived", "board_moved", "task_prefix_taken", "invalid_combination"],
});

export const listPeople = operation({
  method: "GET",
  path: "/v1/boards/:board/people",
  tag: "boards",
  summary: "List the people on a board, in the order in which they joined",
  access: "sees-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  response: record({
    board: BoardName,
    visibility: BoardVisibility,
    people: t.Array(BoardPerson),
  }),
  errors: [],
});

export const addPerson = operation({
  method: "POST",
  path: "/v1/boards/:board/people",
  tag: "boards",
  summary: "Add a person to a board, or join an open one",
  description:
    "A person on the board adds any member of the server; on an open board a person may add themselves. An agent needs a session of its own and the `add_people` permission, and the server and the board must let agents add people. A person who was on the board before returns with the same member id and name.",
  success: 201,
  access: "sees-board",
  callers: callers.members,
  replay: "kept",
  params: BoardParams,
  body: closed({ handle: Handle }),
  response: BoardPerson,
  errors: [
    "not_on_board",
    "person_not_found",
    "already_on_board",
    "guest_comes_by_code",
    "board_archived",
    "board_moved",
    "agent_session_required",
    "add_people_not_allowed",
  ],
});
