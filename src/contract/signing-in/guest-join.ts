import { secretPattern } from "../credentials.ts";
import { Board } from "../boards.ts";
import { Member } from "../joining.ts";
import { callers, operation } from "../operation.ts";
import { NewAccessKey, Person } from "../people.ts";
import { Harness, KeyName, MemberName, ServerId } from "../scalars.ts";
import { closed, record, t, text } from "../schema.ts";

export const guestJoin = operation({
  method: "POST",
  path: "/v1/guest-join",
  tag: "joining",
  summary: "Redeem a guest code: become a guest of the server, on one board, with a first agent",
  description:
    "For a code that names somebody new. A guest who already has an account sends their code to `POST /v1/join` with their own key. The code is used up; a refused redemption leaves it unused. Key and token are shown in this answer only; the key ends after 90 days without use, and the token with it. The agent gets the role of the code, and a name as in `POST /v1/join`.",
  success: 201,
  access: "anyone",
  callers: callers.anyone,
  limit: "connect",
  replay: "secret",
  body: closed({
    code: text({ maxLength: 20 }),
    key_name: KeyName,
    name: t.Optional(MemberName),
    harness: t.Optional(Harness),
  }),
  response: record({
    server_id: ServerId,
    person: Person,
    key: NewAccessKey,
    agent: Member,
    token: text({ pattern: secretPattern("agent") }),
    board: Board,
  }),
  errors: [
    "join_code_invalid",
    "board_archived",
    "board_moved",
    "name_taken",
    "invalid_combination",
  ],
});
