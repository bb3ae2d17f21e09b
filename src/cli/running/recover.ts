import type { Cli } from "../frame/cli.ts";
import { defineCommand } from "../frame/command.ts";
import { handle } from "../frame/values.ts";
import { placeOfData, type PlaceOfData } from "../local-server/place-of-data.ts";
import { refuseOwnedByOther } from "../local-server/private-data.ts";

export default defineCommand({
  summary: "Make a key for a server admin who has lost theirs",
  acts: "person",
  args: {
    data: {
      type: "string",
      valueHint: "DIR",
      description:
        "Absolute folder of a team's data (else SERVICE_DATA, else this machine's own server).",
    },
    handle: {
      type: "string",
      valueHint: "HANDLE",
      description: "The admin who gets the key (else the first one).",
    },
  },
  details:
    "Runs on the server's machine as the owner of the data folder, and only while no server runs on it. Writes the key to admin-key in that folder, or for this machine's own server to its owner-token, for the owner's eyes alone. Nothing else changes: no key ends, and nobody becomes an admin. The next start of the server logs that this was done.",
  examples: [
    ["recover --data /var/lib/board-service", "A key for the first admin of a team's server."],
    ["recover --data /var/lib/board-service --handle ana", "A key for the admin @ana."],
    ["recover", "A key for this machine's own server."],
  ],
  seeAlso: ["serve", "login", "keys"],
  async run({ args, data: cli }) {
    const place = placeOfData(cli, args.data);
    refuseOwnedByOther(cli, place.dataFolder);
    cli.system.setUmask(0o077);
    const made = await cli.recoverKey({
      ...place,
      ...(args.handle !== undefined && { handle: handle(args.handle) }),
    });
    return {
      json: {
        data: place.dataFolder,
        person: { handle: made.handle },
        key: made.key,
        key_file: place.keyFile,
      },
      text: [
        `Key ${made.key.name} of @${made.handle} is in ${place.keyFile}.`,
        ...nextSteps(cli, place),
      ].join("\n"),
    };
  },
});

function nextSteps(cli: Cli, { mode, keyFile }: PlaceOfData): string[] {
  if (mode === "local") return [`This machine uses it from now on: ${cli.typed("whoami")}`];
  return [
    "Start the server again. It logs that this key was made.",
    `Then, on your own machine, with a copy of ${keyFile}: service login https://HOST < admin-key`,
    "Delete the file once that worked.",
  ];
}
