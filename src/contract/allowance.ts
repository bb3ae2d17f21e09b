import { callers, operation } from "./operation.ts";
import { AllowanceId, Count, PersonId } from "./scalars.ts";
import { closed, oneOf, record, t } from "./schema.ts";
import { allowanceCategories } from "./words.ts";

export type AllowanceCategory = (typeof allowanceCategories)[number];
export const AllowanceCategory = oneOf(...allowanceCategories);

/** The warning that comes with an allowance with `invite-people`. */
export const inviteWarning =
  "Agents that may invite people can let outsiders read every open board of this server.";

export const Allowance = record({
  id: AllowanceId,
  revision: Count,
  person_id: PersonId,
  categories: t.Array(AllowanceCategory),
  warning: t.Optional(t.Literal(inviteWarning)),
});

/** The next step in a refusal of an agent whose person must allow the action first. */
export const allowanceNext = {
  command: "service allowance --server {server}",
  resume: "Run it in your own terminal: it shows what you let your agents do by themselves.",
};

export const getAllowance = operation({
  method: "GET",
  path: "/v1/me/allowance",
  tag: "people",
  summary: "Read what the caller lets their agents do by themselves",
  description: "It is empty until the caller sets it.",
  access: "caller",
  callers: callers.people,
  next: allowanceNext,
  response: Allowance,
  errors: [],
});

export const setAllowance = operation({
  method: "PUT",
  path: "/v1/me/allowance",
  tag: "people",
  summary: "Set what the caller lets their agents do by themselves",
  description:
    "Replaces the whole set; an empty one lets them do nothing. It concerns only the admission of ordinary members and never lets an agent do more than its person may. Each use checks it again. Taking it back does not undo what agents did with it.",
  access: "caller",
  callers: callers.people,
  next: {
    command: "service allowance --server {server}",
    resume:
      "Run it in your own terminal: it shows what you let your agents do, and `service allowance set` changes it.",
  },
  replay: "kept",
  body: closed({ categories: t.Array(AllowanceCategory, { uniqueItems: true }) }),
  response: Allowance,
  errors: [],
});
