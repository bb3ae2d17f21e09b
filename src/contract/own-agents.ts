import { AgentLocation, reportedLocation } from "./agent-location.ts";
import { Member } from "./joining.ts";
import { callers, operation } from "./operation.ts";
import { closed, record, t } from "./schema.ts";

export const listOwnAgents = operation({
  method: "GET",
  path: "/v1/me/agents",
  tag: "joining",
  summary: "List one's own agents on all boards, and where their last sessions were",
  description:
    "By the order in which the boards were made and the agents joined. An agent is told its person's; a guest's agent those on its own board alone. An agent without a `location` has reported none.",
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
  summary: "Report where an agent's session is",
  description:
    "Told to the agent's person and to that person's active agents, and to nobody else. The machine is the one that the agent's access key is named after.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  replay: "kept",
  body: closed(reportedLocation),
  response: AgentLocation,
  errors: [],
});
