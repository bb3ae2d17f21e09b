import { ApiError } from "../../client/client.ts";
import type { Static } from "@sinclair/typebox";
import type { Operations } from "../../contract/index.ts";
import type { ClientConnected as Connected } from "../../contract/invites.ts";
import type { Input } from "../../contract/operation.ts";
import { apiOf } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { forgetKeyToSend, keyToSend } from "../../client/machine/pending-invitations.ts";

type ClientConnected = Static<typeof Connected>;
type Redemption = Omit<Input<Operations["connect"]>["body"], "client_token">;

/**
 * Redeems an invitation with a key that is made here and kept before it is sent. When the answer is lost, the key still
 * says whether the account was made, now or in a later run, so that nobody is left with a spent invitation and no way in.
 */
export async function redeem(cli: Cli, server: ServerRef, invitation: Redemption) {
  const token = keyToSend(cli, server, invitation.invite);
  const body = { ...invitation, client_token: token };
  const made = await apiOf(cli, server)
    .call("connect", { body })
    .catch((error: unknown) => accountOf(cli, server, token, error))
    .catch((error: unknown) => {
      if (isVain(error)) forgetKeyToSend(cli, server, invitation.invite);
      throw error;
    });
  const { server_id, person, key, onboarding } = made as ClientConnected;
  const pairing = onboarding.pairing_request_id;
  return { server_id, person, key: { ...key, token }, ...(pairing && { pairing }) };
}

const isRefusal = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

/**
 * Whether the key will never work: the invitation is good and unused, or it is not and nobody knows the key. Any other
 * refusal comes before the server has looked, and says nothing of what an earlier sending did.
 */
const isVain = (error: unknown): boolean => isRefusal(error, "handle_taken", "invite_invalid");

/** Whether the server took the request in: whoever did not answer, failed, or was asked too often may have made the account. */
const isAnswered = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.code !== "rate_limited";

/** The account that a key belongs to after all. Throws what happened before when there is none, or nobody says. */
async function accountOf(cli: Cli, server: ServerRef, token: string, lost: unknown) {
  // It is wrong, or this is the second sending of a request whose first answer was lost, in this run or in one before it.
  const isSpent = isRefusal(lost, "invite_invalid");
  if (isAnswered(lost) && !isSpent) throw lost;
  const api = apiOf(cli, server, token);
  const receipt = await api.call("getOnboardingReceipt").catch((error: unknown) => {
    throw isRefusal(error, "unauthorized") ? lost : error;
  });
  const { person, keys, current_key_id } = await api.call("listKeys");
  const key = keys.find(({ id }) => id === current_key_id)!;
  return { server_id: receipt.server_id, person, key, onboarding: receipt };
}
