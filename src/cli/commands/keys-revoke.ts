import { asPerson } from "../acting.ts";
import { defineCommand, serverFlag, yesFlag } from "../command.ts";
import { CliError } from "../errors.ts";
import { confirmed } from "../questions.ts";

export default defineCommand({
  acts: "person",
  args: {
    key: { type: "positional", description: "The key's name, or its id." },
    ...yesFlag,
    ...serverFlag,
  },
  details: "The key and every agent token that was made with it stop at once.",
  seeAlso: ["keys", "keys create"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const { keys, current_key_id, person } = await api.call("listKeys");
    const { id, name } = oneKey(keys, args.key);
    const isOwn = id === current_key_id;
    const question = `This machine uses the key ${name} for ${server.url}; revoking it signs this machine out and stops its agents. Revoke it?`;
    if (isOwn && !args.yes && !confirmed(cli, question))
      return {
        json: { server, person: person.handle, key: null, this_machine: true },
        text: "Kept.",
      };
    const key = await api.call("revokeKey", { params: { key: id } });
    return {
      json: { server, person: person.handle, key, this_machine: isOwn },
      text: `Key ${name} of @${person.handle} at ${server.url}: revoked.`,
    };
  },
});

interface Key {
  readonly id: string;
  readonly name: string;
  readonly state?: string;
}

/** A name means the working key of that name; ended keys may share it. */
function oneKey(keys: readonly Key[], wanted: string): Key {
  const named = keys.filter((key) => key.id === wanted || key.name === wanted);
  const working = named.filter((key) => (key.state ?? "working") === "working");
  const found = working.length === 1 ? working : named;
  if (found.length === 1) return found[0]!;
  throw new CliError(
    "key_not_selected",
    found.length ? `You have several keys named ${wanted}.` : `You have no key ${wanted}.`,
    "Name one by its id: `service keys --json` shows them.",
    { choices: (found.length ? found : keys).map(({ id, name }) => `${name} (${id})`) },
  );
}
