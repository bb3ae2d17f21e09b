/** Refusals about how messages reach agents: a part of the table of errors. */
export const deliveryErrors = {
  own_agent_not_found: {
    code: "member_not_found",
    status: 404,
    message: "You see no agent with the id {member}.",
    hint: "`service agents --json` lists yours with their ids.",
  },
  queue_report_conflict: {
    status: 409,
    message: "This report is not of the claim that holds: epoch {epoch}, revision {revision}.",
    hint: "Another session may report for this agent now. Whoever is to take over reads `GET /v1/me/delivery-queue` and claims the next epoch.",
  },
} as const;
