import { closed, oneOf, record, t, text } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import { Challenge, ServerGeneration, ServerId, Timestamp } from "./scalars.ts";

export const ServerInfo = record({
  name: t.Literal("service"),
  version: t.String(),
  commit: t.Optional(t.String()),
  commit_time: t.Optional(Timestamp),
  server_id: ServerId,
  generation: ServerGeneration,
  mode: oneOf("local", "team"),
  features: t.Array(t.String()),
  storage: record({ db: t.Literal("sqlite"), files: t.Literal("disk") }),
  proof: t.Optional(text({ pattern: "^[0-9a-f]{64}$", description: "64 hexadecimal digits" })),
});

export const ServerSettings = record({
  board_creation: oneOf("members", "admins"),
  agents_add_people: t.Boolean(),
});

export const getInfo = operation({
  method: "GET",
  path: "/v1/info",
  tag: "server",
  summary: "Name the server, its build and its features",
  description:
    "With `challenge` a local server proves that it has the `digest-key` of its data folder. A program of the person who can read that file asks for the proof before it sends a credential.",
  access: "anyone",
  callers: callers.anyone,
  query: closed({ challenge: t.Optional(Challenge) }),
  response: ServerInfo,
  errors: [],
});

export const getSettings = operation({
  method: "GET",
  path: "/v1/settings",
  tag: "server",
  summary: "Read the server's settings",
  access: "caller",
  callers: callers.people,
  response: ServerSettings,
  errors: [],
});

export const updateSettings = operation({
  method: "PATCH",
  path: "/v1/settings",
  tag: "server",
  summary: "Change the server's settings",
  description:
    "Settings that are left out stay as they are. `agents_add_people: false` overrides every board's own setting; `true` does not override a board's `false`.",
  access: "server-admin",
  callers: callers.keyHolders,
  replay: "kept",
  body: closed(
    {
      board_creation: t.Optional(oneOf("members", "admins")),
      agents_add_people: t.Optional(t.Boolean()),
    },
    { minProperties: 1 },
  ),
  response: ServerSettings,
  errors: [],
});
