import { asPerson } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag, yesFlag } from "../frame/command.ts";
import { isWorking, oneKey } from "./key-choice.ts";
import { confirmed } from "../frame/questions.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
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
    const { id, name } = oneKey(keys, args.key);
    const isOwn = id === current_key_id;
    const isLast = !keys.some((key) => key.id !== id && isWorking(key));
    const question = [
      `This machine uses the key ${name} for ${server.url}; revoking it signs this machine out and stops its agents.`,
      ...(isLast ? [lastKeyWarning(cli, server)] : []),
      "Revoke it?",
    ].join(" ");
    if (isOwn && !args.yes && !confirmed(cli, question))
      return {
        json: { server, person: person.handle, key: null, this_machine: true },
        text: "Not revoked.",
      };
    const key = await api.call("revokeKey", { params: { key: id } });
    const next = isLast
      ? "no other key of yours works there."
      : `with another key: ${cli.typed(`login ${server.url}`)}`;
    return {
      json: { server, person: person.handle, key, this_machine: isOwn },
      text: `Key ${name} of @${person.handle} at ${server.url} is revoked.${isOwn ? ` This machine is signed out; ${next}` : ""}`,
    };
  },
});

/** Warns before the last working key is revoked: after that nothing lets its person in again. */
function lastKeyWarning(cli: Cli, server: ServerRef): string {
  const create = typedAt(cli, server)("keys create NAME");
  const login = cli.typed(`login ${server.url}`);
  return `You have no other working key there, so you could never sign in as yourself again. To go on with a new one, make it first (${create}) and give it to this machine (${login}), then revoke this one.`;
}
