import { refuse } from "../../contract/refusal.ts";
import { inviteRedeemedWith } from "../../db/invites.ts";
import type { Handler } from "../handler.ts";
import { receiptOf } from "./invite-views.ts";

export const getOnboardingReceipt: Handler<"getOnboardingReceipt"> = (
  tx,
  { caller },
  _input,
  { server },
) => {
  const invite = inviteRedeemedWith(tx, caller.key.row);
  if (!invite) throw refuse("receipt_not_found");
  return receiptOf(tx, invite, caller, server.id);
};
