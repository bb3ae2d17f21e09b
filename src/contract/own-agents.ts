import { AgentLocation, reportedLocation } from "./agent-location.ts";
import { Member } from "./joining.ts";
import { callers, operation } from "./operation.ts";
import { closed, record, t } from "./schema.ts";

export const listOwnAgents = operation({
  method: "GET",
  path: "/v1/me/agents",
  tag: "joining",
  summary: "List the caller's agents on all boards, and where their last sessions ran",
  description:
    "In the order in which the boards were made and the agents joined. An agent gets its person's agents, a guest's agent only those on its own board. An agent without `location` has reported none.",
  access: "caller",
  callers: callers.members,
  guests: true,
  response: record({ agents: t.Array(Member) }),
  errors: [],
});

export const setAgentLocation = operation({
  method: "PUT",
  path: "/v1/me/location",
  tag: "inbox",
  summary: "Report where an agent's session runs",
  description:
    "Only the agent's person and that person's active agents see it. The machine's name is that of the agent's access key.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  replay: "kept",
  body: closed(reportedLocation),
  response: AgentLocation,
  errors: [],
});
