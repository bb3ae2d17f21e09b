/** Refusals about the agents and members of a board: a part of the table of errors. */
export const agentErrors = {
  agent_not_found: {
    status: 404,
    message: "There is no agent {name} on board {board} now.",
    hint: "`service status --board {board}` names this machine's agents.",
  },
  agent_owner_required: {
    status: 403,
    message: "Only the agent's own person can do this.",
    hint: "Ask {owner}, whose agent it is.",
  },
  line_until_past: {
    status: 422,
    message: "The time {until} has passed.",
    hint: 'Give a time in the future, such as `service paused "TEXT" --until 20m`.',
  },
  member_not_found: {
    status: 404,
    message: "There is no member {name} on this board.",
    hint: "A name is written without `@`. `service api listMembers board={board}` lists the members.",
  },
} as const;
