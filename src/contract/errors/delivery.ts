/** Refusals about how messages reach agents: a part of the table of errors. */
export const deliveryErrors = {
  own_agent_not_found: {
    code: "member_not_found",
    status: 404,
    message: "You can see no agent with the id {member}.",
    hint: "`service agents --json` lists yours with their ids.",
  },
  queue_report_conflict: {
    status: 409,
    message:
      "This report does not belong to the current claim: epoch {epoch}, revision {revision}.",
    hint: "Another session may report for this agent now. To take over, read `GET /v1/me/delivery-queue` and claim the next epoch.",
  },
} as const;
