import { secretPattern } from "../credentials.ts";
import { boardBody } from "../boards.ts";
import { JoinResult } from "../joining.ts";
import { callers, operation } from "../operation.ts";
import { Connected } from "./server-invites.ts";
import { Person } from "../people.ts";
import { closed, oneOf, record, t, text } from "../schema.ts";
import {
  DelegationId,
  Harness,
  HarnessSession,
  KeyId,
  KeyName,
  MemberName,
  RoleName,
  ShortCode,
  Timestamp,
} from "../scalars.ts";

/** What a person sees of a machine request for their key. */
export const MachineRequest = record({
  label: KeyName,
  state: oneOf("pending", "approved", "refused"),
  requested_from: t.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
  person: Person,
});

const NewDelegation = record({
  id: DelegationId,
  name: KeyName,
  key_id: KeyId,
  created_at: Timestamp,
  token: text({ pattern: secretPattern("delegation") }),
});

const poll = { expires_at: Timestamp, poll_interval_seconds: t.Integer({ minimum: 1 }) };

export const startMachineRequest = operation({
  method: "POST",
  path: "/v1/machine-requests",
  tag: "people",
  summary:
    "Ask for an access key, on a machine that has none, for a person who approves it elsewhere",
  description:
    "Show the person `code`, keep `secret`, and collect with it. The request ends after five minutes. The answer does not say whether anybody has the handle; if nobody has, the request can never be approved.",
  success: 201,
  access: "anyone",
  callers: callers.anyone,
  limit: "machine-start",
  replay: "secret",
  body: closed({ handle: text({ maxLength: 80 }), label: KeyName }),
  response: record({
    code: ShortCode,
    secret: text({ pattern: secretPattern("machineRequest") }),
    ...poll,
  }),
  errors: ["handle_invalid"],
});

/** What the operations on a machine request by its code have in common: callers, body, answer and errors. */
const byCode = {
  method: "POST",
  tag: "people",
  access: "caller",
  callers: callers.keyHolders,
  limit: "machine-code",
  replay: "kept",
  body: closed({ code: text({ maxLength: 20 }) }),
  response: MachineRequest,
  errors: ["machine_request_invalid"],
} as const;

export const lookupMachineRequest = operation({
  ...byCode,
  path: "/v1/machine-requests/lookup",
  summary: "Look at the request whose code a machine shows",
  description:
    "For the person whom the request names. A code that is wrong, expired, already decided or for somebody else gets the same answer.",
});

export const approveMachineRequest = operation({
  ...byCode,
  path: "/v1/machine-requests/approve",
  summary: "Give the machine that shows a code an access key of the caller's",
  description:
    "This makes no key yet: the machine collects it, if the approving key still works then.",
});

export const refuseMachineRequest = operation({
  ...byCode,
  path: "/v1/machine-requests/refuse",
  summary: "Refuse the machine that shows a code an access key",
  description: "The code is used up, and the machine learns of the refusal when it collects.",
});

export const collectMachineRequest = operation({
  method: "POST",
  path: "/v1/machine-requests/collect",
  tag: "people",
  summary: "Collect the access key that a machine asked for",
  description:
    "202 while the person has not decided: ask again after `poll_interval_seconds`, 200 times at most. 201 once, with a new key that is named after the machine's label and ends after 90 days without use. It does not depend on the approving key, but that key must still work at this moment.",
  success: 201,
  otherSuccess: 202,
  access: "anyone",
  callers: callers.anyone,
  limit: "machine-collect",
  replay: "secret",
  body: closed({ secret: text({ maxLength: 200 }) }),
  response: t.Union([record({ state: t.Literal("pending"), ...poll }), Connected]),
  errors: ["machine_request_invalid", "machine_request_refused"],
});

export const createDelegation = operation({
  method: "POST",
  path: "/v1/delegations",
  tag: "people",
  summary: "Make a delegation, with which a machine acts for the caller",
  description:
    "A delegation lists the caller's boards, takes seats on them for sessions, makes boards, and does nothing else. It ends with the key that made it. A key has one delegation for each name: making another ends the one before.",
  success: 201,
  access: "caller",
  callers: callers.keyHolders,
  replay: "secret",
  body: closed({ name: KeyName }),
  response: NewDelegation,
  errors: [],
});

export const createDelegatedBoard = operation({
  method: "POST",
  path: "/v1/delegations/boards",
  tag: "boards",
  summary: "Make a board for a session, with a seat on it",
  description:
    "The delegation's person becomes the board's first owner, and the session an agent on it without an owner's powers. `harness` is the first part of `session`. Send an `Idempotency-Key`: without one, a lost answer is a lost board.",
  success: 201,
  access: "caller",
  callers: callers.delegations,
  replay: "kept-for-caller",
  body: closed({
    session: HarnessSession,
    harness: Harness,
    role: t.Optional(RoleName),
    agent_name: t.Optional(MemberName),
    ...boardBody,
  }),
  response: JoinResult,
  errors: [
    "board_creation_restricted",
    "board_name_taken",
    "board_name_archived",
    "template_not_found",
    "role_unknown",
    "name_taken",
    "invalid_combination",
    "board_not_found",
    "board_archived",
    "board_moved",
    "seat_token_replaced",
  ],
});
