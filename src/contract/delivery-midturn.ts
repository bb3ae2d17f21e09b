import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import { MemberId } from "./scalars.ts";

/** Whose messages may reach an agent while a turn of it runs. */
export const MidturnPolicy = oneOf("owner-only", "my-agents");

/** A mid-turn policy, and where it comes from. */
export const MidturnPolicyView = record({
  policy: MidturnPolicy,
  source: oneOf("person_default", "agent_override"),
  changed: t.Optional(t.Boolean()),
  overrides: t.Optional(t.Array(record({ member_id: MemberId, policy: MidturnPolicy }))),
});

export const getMidturnPolicy = operation({
  method: "GET",
  path: "/v1/me/midturn",
  tag: "inbox",
  summary: "Read whose messages may reach a busy agent",
  description:
    "A person reads their default and the policies of single agents, an agent the policy that applies to itself. A client that cannot read it acts as for `owner-only`.",
  access: "caller",
  callers: callers.members,
  guests: true,
  response: MidturnPolicyView,
  errors: [],
});

export const setMidturnPolicy = operation({
  method: "PUT",
  path: "/v1/me/midturn",
  tag: "inbox",
  summary: "Set whose messages may reach the caller's agents while they are busy",
  description:
    "With `owner-only` only the agent's person reaches it at a tool boundary. With `my-agents`, the default until something is set, urgent messages from an active agent of the same person that name the agent reach it too. Neither changes what wakes an agent or who may read what, and nothing interrupts a running tool. Without `member_id` this sets the person's default; with it, the policy of that agent, which null removes. The answer says what then applies to the agent, or by default.",
  access: "own-agent",
  names: { in: "body", name: "member_id" },
  callers: callers.people,
  replay: "kept",
  body: closed({
    policy: nullable(MidturnPolicy),
    member_id: t.Optional(text({ minLength: 1, maxLength: 64 })),
  }),
  response: MidturnPolicyView,
  errors: ["invalid_combination"],
});
