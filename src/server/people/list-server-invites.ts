import { invitesOfPerson } from "../../db/invites.ts";
import type { Handler } from "../handler.ts";
import { inviteRecord } from "./invite-views.ts";

export const listServerInvites: Handler<"listServerInvites"> = (tx, { caller }) => ({
  invites: invitesOfPerson(tx, caller.person.row).map((invite) => inviteRecord(tx, invite, caller)),
});
