import { ApiError } from "../../client/client.ts";
import type { Static } from "@sinclair/typebox";
import type { ClientConnected as Connected } from "../../contract/signing-in/server-invites.ts";
import type { InputOf } from "../../contract/index.ts";
import { apiOf } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { requireTexts } from "./require-texts.ts";
import { forgetKeyToSend, keyToSend } from "../../client/machine/pending-invitations.ts";

type ClientConnected = Static<typeof Connected>;
type Redemption = Omit<InputOf<"connect">["body"], "client_token">;

/**
 * Redeems an invitation with a key that is made here and kept before it is sent. When the answer is lost, the key still
 * says whether the account was made, now or in a later run, so that nobody has used their invitation without getting a key.
 */
export async function redeem(cli: Cli, server: ServerRef, invitation: Redemption) {
  const token = keyToSend(cli, server, invitation.invite);
  const body = { ...invitation, client_token: token };
  const made = await apiOf(cli, server)
    .call("connect", { body })
    .catch((error: unknown) => accountOf(cli, server, token, error))
    .catch((error: unknown) => {
      if (willNeverWork(error)) forgetKeyToSend(cli, server, invitation.invite);
      throw error;
    });
  const { server_id, person, key, onboarding } = made as ClientConnected;
  requireTexts(server, [server_id, person?.id, person?.handle, key?.name, onboarding?.server_id]);
  const pairing = onboarding.pairing_request_id;
  return { server_id, person, key: { ...key, token }, ...(pairing && { pairing }) };
}

const isRefusal = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

/**
 * Whether the key will never work: the handle was taken, so the invitation is unused, or the invitation is invalid and the
 * server does not know the key. Any other refusal leaves open whether an earlier attempt made the account.
 */
const willNeverWork = (error: unknown): boolean =>
  isRefusal(error, "handle_taken", "invite_invalid");

/** Whether the server decided. If it did not answer, failed or limited the rate, an account may have been made all the same. */
const isDecided = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.code !== "rate_limited";

/** The account of the key, if it was made after all. Throws the earlier error if there is none or the server cannot say. */
async function accountOf(cli: Cli, server: ServerRef, token: string, lost: unknown) {
  // Either the invitation is wrong, or an earlier attempt used it and its answer was lost.
  const isSpent = isRefusal(lost, "invite_invalid");
  if (isDecided(lost) && !isSpent) throw lost;
  const api = apiOf(cli, server, token);
  const receipt = await api.call("getOnboardingReceipt").catch((error: unknown) => {
    throw isRefusal(error, "unauthorized") ? lost : error;
  });
  const { person, keys, current_key_id } = await api.call("listKeys");
  const key = Array.isArray(keys) ? keys.find((one) => one?.id === current_key_id) : undefined;
  return { server_id: receipt.server_id, person, key, onboarding: receipt };
}
