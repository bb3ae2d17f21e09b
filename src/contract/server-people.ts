import { callers, operation } from "./operation.ts";
import { Person } from "./people.ts";
import { BoardId, Count, Handle, MemberName } from "./scalars.ts";
import { closed, oneOf, record, t } from "./schema.ts";

const PersonChange = record({ person: Person, changed: t.Boolean() });

export const PersonRemoval = record({
  person: Person,
  dry_run: t.Boolean(),
  keys_revoked: Count,
  browser_sessions_ended: Count,
  agents_removed: Count,
  boards_left: Count,
  owners_passed: Count,
  unreachable_boards: t.Array(BoardId),
});

export const setServerRole = operation({
  method: "PATCH",
  path: "/v1/people/:handle",
  tag: "people",
  summary: "Make a person a server admin, or an admin an ordinary member",
  description:
    "The server always has an admin. A guest cannot get another role: as a member they need an invitation to the server, and come as a new person.",
  access: "server-admin",
  callers: callers.keyHolders,
  replay: "kept",
  params: t.Object({ handle: Handle }),
  body: closed({ server_role: oneOf("admin", "member") }),
  response: PersonChange,
  errors: ["person_not_found", "person_is_guest", "last_admin"],
});

export const removeFromServer = operation({
  method: "DELETE",
  path: "/v1/people/:handle",
  tag: "people",
  summary: "Remove a person from the server, for good",
  description:
    "Ends at once their keys and everything that these started, their memberships, also on archived boards, the seats of their agents, and the join codes and invitations that they or their agents made. If they were the last owner of a board, the person who has been on it longest and is not a guest becomes its owner. Their messages remain. Their handle is free again unless a rename reserved it; if they are invited again they are a new person. No board may be left with guests alone. With `dry_run` nothing changes, and the counts say what would happen.",
  access: "server-admin",
  callers: callers.keyHolders,
  replay: "kept",
  params: t.Object({ handle: Handle }),
  query: closed({ dry_run: t.Optional(t.Boolean({ default: false })) }),
  response: PersonRemoval,
  errors: ["person_not_found", "last_admin", "guests_left_alone"],
});

export const renamePerson = operation({
  method: "POST",
  path: "/v1/people/:handle/rename",
  tag: "people",
  summary: "Change a person's handle: the caller's own, or, for a server admin, anybody's",
  description:
    "Their member name becomes the new handle on every board that they are or were on. Ids, keys, seats, read positions and everything that was written remain. The old handle and the new one stay theirs for good, even after a removal: nobody else gets them, and a handle that was given up finds nobody.",
  access: "caller",
  callers: callers.keyHolders,
  replay: "kept",
  params: t.Object({ handle: MemberName }),
  body: closed({ handle: Handle }),
  response: PersonChange,
  errors: ["server_admin_required", "person_not_found", "new_handle_taken"],
});
