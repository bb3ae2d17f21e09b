import { mostPruned } from "./limits.ts";
import { callers, operation } from "./operation.ts";
import {
  BoardId,
  BoardName,
  Handle,
  MemberId,
  MemberName,
  PersonId,
  Timestamp,
} from "./scalars.ts";
import { closed, nullable, record, t } from "./schema.ts";

/** A hundred years in seconds: the longest absence that a request can name. */
const century = 3_153_600_000;
const disconnectedFor = t.Integer({ minimum: 3600, maximum: century });

export const pruneAgents = operation({
  method: "POST",
  path: "/v1/agents/prune",
  tag: "joining",
  summary: "Remove agents that have had no session for a long time",
  description:
    "The caller's own agents; with `all`, which is for server admins, every agent of the server. `dry_run` lists the agents that would be removed. Without it `agents` says which to remove: each is checked again, and those that came back, have ended or are out of the caller's reach are in `kept`. An agent that never reported a presence is left alone.",
  access: "caller",
  callers: callers.people,
  replay: "kept",
  body: closed({
    disconnected_for: disconnectedFor,
    all: t.Optional(t.Boolean({ default: false })),
    dry_run: t.Optional(t.Boolean({ default: false })),
    agents: t.Optional(t.Array(MemberId, { maxItems: mostPruned })),
  }),
  response: record({
    disconnected_for: disconnectedFor,
    all: t.Boolean(),
    dry_run: t.Boolean(),
    agents: t.Array(
      record({
        id: MemberId,
        name: nullable(MemberName),
        board: nullable(BoardName),
        board_id: BoardId,
        owner: Handle,
        owner_id: PersonId,
        disconnected_since: Timestamp,
      }),
    ),
    kept: t.Array(MemberId),
  }),
  errors: ["server_admin_required", "invalid_combination"],
});
