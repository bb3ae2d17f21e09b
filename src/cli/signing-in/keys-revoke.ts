import type { OutputOf } from "../../contract/index.ts";
import { asPerson } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag, yesFlag } from "../frame/command.ts";
import { isWorking, oneKey } from "./key-choice.ts";
import { confirmed } from "../frame/questions.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { counted } from "../terminal/table.ts";
import { typedAt } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Stop one of your access keys",
  acts: "person",
  args: {
    key: { type: "positional", description: "The key's name, or its id." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "The key stops working at once, with every agent token, browser session and delegation that was made with it.",
  seeAlso: ["keys", "keys create"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const { keys, current_key_id, person } = await api.call("listKeys");
    const found = oneKey(keys, args.key);
    const { id, name } = found;
    const isOwn = id === current_key_id;
    const isLast = !keys.some((key) => key.id !== id && isWorking(key));
    const ending = startedBy(found);
    const question = [
      isOwn
        ? `This machine uses the key ${name} for ${server.url}; revoking it signs this machine out and stops its agents.`
        : `Revoking the key ${name} at ${server.url} ends what was started with it: ${ending}.`,
      ...(isLast ? [lastKeyWarning(cli, server)] : []),
      "Revoke it?",
    ].join(" ");
    if ((isOwn || found.agent_seats) && !args.yes && !confirmed(cli, question))
      return {
        json: { server, person: person.handle, key: null, this_machine: isOwn },
        text: "Not revoked.",
      };
    const key = await api.call("revokeKey", { params: { key: id } });
    const next = isLast
      ? "no other key of yours works there."
      : `with another key: ${cli.typed(`login ${server.url}`)}`;
    return {
      json: { server, person: person.handle, key, this_machine: isOwn },
      text: `Key ${name} of @${person.handle} at ${server.url} is revoked.${ending && ` Ended with it: ${ending}.`}${isOwn ? ` This machine is signed out; ${next}` : ""}`,
    };
  },
});

/** What ends with a key, as a list; empty if it started nothing that still works. */
function startedBy(key: OutputOf<"listKeys">["keys"][number]): string {
  const parts = [
    [key.agent_seats, "agent", "agents"],
    [key.browser_sessions, "browser session", "browser sessions"],
    [key.delegations, "delegation", "delegations"],
  ] as const;
  return new Intl.ListFormat("en").format(
    parts.flatMap(([count, one, many]) => (count ? [counted(count, one, many)] : [])),
  );
}

/** Warns before the last working key is revoked: after that nothing lets its person in again. */
function lastKeyWarning(cli: Cli, server: ServerRef): string {
  const create = typedAt(cli, server)("keys create NAME");
  const login = cli.typed(`login ${server.url}`);
  return `You have no other working key there, so you could never sign in as yourself again. To go on with a new one, make it first (${create}) and give it to this machine (${login}), then revoke this one.`;
}
