import { asPerson } from "../acting.ts";
import { defineCommand, serverFlag, yesFlag } from "../command.ts";
import { oneKey } from "../key-choice.ts";
import { confirmed } from "../questions.ts";

export default defineCommand({
  acts: "person",
  args: {
    key: { type: "positional", description: "The key's name, or its id." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "The key stops at once, with every agent token, browser session and delegation that was made with it.",
  seeAlso: ["keys", "keys create"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const { keys, current_key_id, person } = await api.call("listKeys");
    const { id, name } = oneKey(keys, args.key);
    const isOwn = id === current_key_id;
    const others = keys.some((key) => key.id !== id && (key.state ?? "working") === "working");
    const question = [
      `This machine uses the key ${name} for ${server.url}; revoking it signs this machine out and stops its agents.`,
      ...(others
        ? []
        : ["You have no other working key there, so you could not sign in any more."]),
      "Revoke it?",
    ].join(" ");
    if (isOwn && !args.yes && !confirmed(cli, question))
      return {
        json: { server, person: person.handle, key: null, this_machine: true },
        text: "Kept.",
      };
    const key = await api.call("revokeKey", { params: { key: id } });
    const next = isOwn ? ` This machine is signed out: ${cli.typed(`login ${server.url}`)}` : "";
    return {
      json: { server, person: person.handle, key, this_machine: isOwn },
      text: `Key ${name} of @${person.handle} at ${server.url} is revoked.${next}`,
    };
  },
});
