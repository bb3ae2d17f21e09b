import { statSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../../client/machine/local-error.ts";
import { asPerson } from "../../acting/acting.ts";
import { defineCommand, serverFlag } from "../../frame/command.ts";
import { watched } from "../../frame/progress.ts";
import { typedWith, flagsTo } from "../../frame/suggest.ts";
import { oneLine } from "../../terminal/clean.ts";
import { bold } from "../../terminal/style.ts";
import { pairsOf } from "./wishes.ts";

export default defineCommand({
  summary: "Import a board that another server exported",
  acts: "person",
  args: {
    file: { type: "positional", description: "The archive that `board export` wrote." },
    person: {
      type: "string",
      multiple: true,
      valueHint: "@HANDLE=@LOCAL",
      description: "Give @LOCAL of this server the membership that @HANDLE had; may be repeated.",
    },
    name: { type: "string", valueHint: "NAME", description: "Its name here (else its own)." },
    ...serverFlag,
  },
  details:
    "For server admins. The whole archive is verified first; what does not verify leaves nothing behind. The board's past stays with the people and agents of the other server, who are shown with its address and have left here; you become an owner, and agents get new seats. Whether somebody of the archive is who the other server says, nobody here can prove.",
  examples: [
    ["board import docs.board.tar", "With its own name."],
    [
      "board import docs.board.tar --name docs-2 --person @ada=@ada-l",
      "Under another name, with a place for @ada-l.",
    ],
  ],
  seeAlso: ["boards", "invite", "board add"],
  async run({ args, data: cli }) {
    pairsOf(args);
    const path = resolve(cli.cwd, args.file);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile())
      throw usageError(`There is no file ${oneLine(args.file)} here.`, "Check the path.");
    const { api, server } = await asPerson(cli, args);
    const bytes = Bun.file(path);
    const watch = watched(cli, "Sending", args.file, bytes.size);
    try {
      const board = await api.importBoard(
        {
          query: {
            ...(args.name && { name: args.name }),
            ...(args.person.length > 0 && { person: args.person }),
          },
        },
        bytes,
        watch,
      );
      const typed = typedWith(cli, { board: board.name, ...flagsTo(cli, server) });
      return {
        json: { server, board },
        text: [
          `Board ${bold(board.name)} (${board.lifecycle}) is at ${server.url}; you own it.`,
          `A code for an agent of yours: ${typed("invite")}`,
        ].join("\n"),
      };
    } finally {
      watch.end();
    }
  },
});
