import type { Actor } from "../acting/acting.ts";
import { ApiError } from "../../client/client.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { firstActor, readEveryServer, type Group } from "../acting/every-server.ts";
import { boardNames } from "./handed-out.ts";

export default defineCommand({
  summary: "Take back an invitation or a join code",
  acts: "person",
  args: {
    id: { type: "positional", valueHint: "ID", description: "Its id (inv_… or jc_…)." },
    ...serverFlag,
  },
  details:
    "Nobody can use it any more. People and agents who used it before stay: `board remove`, `agent remove` and `people remove` take them away. Everybody on a board may revoke its join codes; only the person who made an invitation may revoke it.",
  examples: [["invite revoke jc_01K0QYV5H8R2M4N6P8S0T2V4W6", "The code stops working at once."]],
  seeAlso: ["invite list", "invite"],
  async run({ args: { id, ...flags }, data: cli }) {
    const kind = kindOf(id);
    const all = { ...flags, allServers: false };
    const actor = await firstActor(cli, all);
    const groups = await readEveryServer<Attempt>(cli, actor, all, { done: null }, (each) =>
      attempt(each, id, kind),
    );
    for (const { server, done } of groups)
      if (done) return { json: { server, id, ...done.json }, text: done.text(server.url) };
    throw notFound(id, kind, groups);
  },
});

const kinds = { invitation: /^inv_\w{26}$/, "join code": /^jc_\w{26}$/ } as const;
type Kind = keyof typeof kinds;

function kindOf(id: string): Kind {
  const kind = (Object.keys(kinds) as Kind[]).find((one) => kinds[one].test(id));
  if (kind) return kind;
  throw usageError(
    `${id} is not the id of an invitation or of a join code.`,
    "An id begins with `inv_` or `jc_`; a link or a code is not one. `service invite list` shows the ids.",
  );
}

/** What one server did with an id; null when it does not know the id. */
interface Attempt {
  readonly done: { readonly json: object; text(url: string): string } | null;
}

async function attempt({ api }: Actor, id: string, kind: Kind): Promise<Attempt> {
  if (kind === "invitation") {
    const params = { invite: id };
    const revoked = await orNull(api.call("revokeServerInvite", { params }), "invite_not_found");
    if (!revoked) return { done: null };
    const text = (url: string) =>
      revoked.changed
        ? `The invitation ${id} to ${url} is revoked.`
        : `The invitation ${id} to ${url} was used or revoked before. Whoever used it stays.`;
    return { done: { json: { revoked: true, changed: revoked.changed }, text } };
  }
  const boards = await boardNames(api);
  const codes = boards.map((board) =>
    orNull(api.call("revokeJoinCode", { params: { board, join_code: id } }), "join_code_not_found"),
  );
  const code = (await Promise.all(codes)).find((one) => one !== null);
  if (!code) return { done: null };
  const text = (url: string) =>
    `The join code ${id} of board ${code.board} at ${url} is revoked. Agents that joined with it stay.`;
  return { done: { json: { revoked: true, join_code: code }, text } };
}

/** The answer of a call, or null if it is refused with the code `missing`. */
async function orNull<T>(call: Promise<T>, missing: string): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.code === missing) return null;
    throw error;
  }
}

/** Says where the id was looked for. A server that could not be asked may know it. */
function notFound(id: string, kind: Kind, groups: readonly Group<Attempt>[]): LocalError {
  const asked = groups.filter(({ error }) => !error).map(({ server }) => server.url);
  const unasked = groups.flatMap(({ server, error }) =>
    error ? ` ${server.url} could not be asked: ${error.message}` : [],
  );
  const who =
    kind === "invitation" ? "You have made no invitation" : "You are on no board with a join code";
  return new LocalError(
    kind === "invitation" ? "invite_not_found" : "join_code_not_found",
    `${who} ${id} at ${asked.join(", ")}.${unasked.join("")}`,
    "See what you handed out, with its ids: `service invite list --all`.",
  );
}
