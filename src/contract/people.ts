import { secretPattern } from "./credentials.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import { TaskRef } from "./tasks.ts";
import {
  BoardName,
  Count,
  DeliveryMode,
  DisplayName,
  Handle,
  KeyId,
  KeyName,
  MemberKind,
  PersonId,
  ServerRole,
  Timestamp,
} from "./scalars.ts";

export const Person = record({
  id: PersonId,
  handle: Handle,
  display_name: nullable(DisplayName),
  server_role: ServerRole,
  created_at: Timestamp,
});

export const Me = record({
  id: t.String(),
  kind: MemberKind,
  name: t.String(),
  board: nullable(BoardName),
  owner: nullable(t.String()),
  browser: t.Boolean(),
  server_role: nullable(ServerRole),
  display_name: nullable(DisplayName),
  delivery_mode: nullable(DeliveryMode),
  delivery_revision: nullable(Count),
  current_task: nullable(TaskRef),
});

export const AccessKey = record({
  id: KeyId,
  name: KeyName,
  created_at: Timestamp,
  expires_at: nullable(Timestamp),
  idle_expiry_seconds: nullable(t.Integer({ minimum: 1 })),
  state: t.Optional(oneOf("working", "revoked", "expired")),
  revoked_at: t.Optional(nullable(Timestamp)),
  last_used_at: t.Optional(nullable(Timestamp)),
  browser_sessions: t.Optional(Count),
  agent_seats: t.Optional(Count),
  delegations: t.Optional(Count),
});
export const NewAccessKey = record({
  ...AccessKey.properties,
  token: text({ pattern: secretPattern("key") }),
});

export const getMe = operation({
  method: "GET",
  path: "/v1/me",
  tag: "people",
  summary: "Say who the caller is",
  access: "caller",
  callers: callers.members,
  guests: true,
  response: Me,
  errors: [],
});

export const listServerPeople = operation({
  method: "GET",
  path: "/v1/people",
  tag: "people",
  summary: "List the people on the server, or look one up by handle",
  description:
    "Without `handle`: everyone, oldest first, for people only. With `handle`: that one person's id, handle and display name, also for agents. Guests are not found by handle.",
  access: "caller",
  callers: callers.members,
  query: closed({ handle: t.Optional(Handle) }),
  response: t.Union([
    record({ people: t.Array(Person) }),
    record({ id: PersonId, handle: Handle, display_name: nullable(DisplayName) }),
  ]),
  errors: ["human_token_required", "person_not_found"],
});

export const listKeys = operation({
  method: "GET",
  path: "/v1/keys",
  tag: "people",
  summary: "List the caller's access keys, oldest first, ended ones included",
  access: "caller",
  callers: callers.keyHolders,
  response: record({
    person: Person,
    keys: t.Array(AccessKey),
    current_key_id: KeyId,
    current_key_previous_use: nullable(Timestamp),
  }),
  errors: [],
});

export const createKey = operation({
  method: "POST",
  path: "/v1/keys",
  tag: "people",
  summary: "Make another access key for the caller",
  description:
    "The secret is shown once. The key expires at a fixed time, after 90 days by default.",
  success: 201,
  access: "caller",
  callers: callers.keyHolders,
  replay: "secret",
  body: closed({
    name: KeyName,
    ttl_seconds: t.Optional(t.Integer({ minimum: 3600, maximum: 31_536_000, default: 7_776_000 })),
  }),
  response: NewAccessKey,
  errors: ["key_name_taken"],
});

export const revokeKey = operation({
  method: "DELETE",
  path: "/v1/keys/:key",
  tag: "people",
  summary: "Revoke one of the caller's access keys, and everything that it started",
  description:
    "The key stops at once, with the browser sessions and agent tokens that it started; open streams and waits end within a second. Revoking it again changes nothing.",
  access: "caller",
  callers: callers.keyHolders,
  replay: "kept",
  params: t.Object({ key: KeyId }),
  response: AccessKey,
  errors: ["key_not_found"],
});
