import { usageError } from "../../../client/machine/local-error.ts";
import { keyFor } from "../../../client/machine/servers.ts";
import { greatestSeq } from "../../../contract/limits.ts";
import { asPerson } from "../../acting/acting.ts";
import { shownPath, toFill } from "../../files/local-file.ts";
import { quietApi } from "../../connection/quiet-api.ts";
import type { Cli } from "../../frame/cli.ts";
import { defineCommand, serverFlag } from "../../frame/command.ts";
import { words } from "../../frame/suggest.ts";
import { duration, integer } from "../../frame/values.ts";
import { oneLine } from "../../terminal/clean.ts";
import { size } from "../../terminal/size-text.ts";
import { counted } from "../../terminal/table.ts";
import { followBoard, type Following } from "./follow-board.ts";
import { receiveArchive } from "./receive-archive.ts";

export default defineCommand({
  summary: "Export a board for another server, or to keep",
  acts: "person",
  args: {
    board: { type: "positional", description: "The board's name." },
    output: {
      type: "string",
      alias: "o",
      valueHint: "FILE",
      description: "Where to write it: a path or a folder (else BOARD.board.tar in this folder).",
    },
    force: { type: "boolean", description: "Replace a file that is there." },
    follow: {
      type: "boolean",
      description: "Keep the file up to date until Ctrl-C: only what is new is fetched.",
    },
    every: {
      type: "string",
      valueHint: "DURATION",
      description: "With --follow: how often to look (1m).",
    },
    since: {
      type: "string",
      valueHint: "SEQ",
      description: "Only what came after this event. With --follow: the file must hold it already.",
    },
    ...serverFlag,
  },
  details:
    "For owners of the board. The archive holds everything that its log says, the handles of the people whom it names, and every version of every file; no key, no token and no e-mail. Whoever has it reads the whole board. It is verified before it takes its place: the chain, its head, and the bytes of the files.",
  examples: [
    ["board export docs", "Into this folder."],
    ["board export docs -o /backup/docs.board.tar --force", "In the place of the last one."],
    ["board export docs -o /backup/docs.board.tar --follow", "A copy that is kept up to date."],
  ],
  seeAlso: ["board import", "audit verify"],
  async run({ args, data: cli }) {
    if (args.output === "-")
      throw usageError(
        "An archive is verified before it takes its place, so it does not go to standard output.",
        "Name a path: `-o FILE`.",
      );
    const target = toFill(cli.cwd, `${args.board}.board.tar`, args.output);
    const shown = oneLine(shownPath(cli.cwd, target.path));
    const since =
      args.since === undefined ? undefined : integer("--since", args.since, 1, greatestSeq);
    if (args.every !== undefined && !args.follow)
      throw usageError("`--every` is for `--follow`.", "Add `--follow`, or leave it out.");
    if (args.follow) {
      const everyMs = duration("--every", args.every ?? "1m", "1s", "1d") * 1_000;
      return followed(cli, args, { board: args.board, target, shown, since, everyMs });
    }
    if (target.there && !args.force)
      throw usageError(
        `${shown} is there already.`,
        `Replace it: \`${cli.typed(`board export ${words`${args.board}`}`)} … --force\`. Or name another path with \`-o\`.`,
      );
    const { api, server } = await asPerson(cli, args);
    const { head, events, files, bytes } = await receiveArchive(cli, api, {
      board: args.board,
      target,
      shown,
      since,
    });
    const next =
      since === undefined
        ? `On the other server: ${cli.typed(`board import ${words`${shown}`}`)}`
        : `It holds what came after #${since}, and is no board without the rest.`;
    return {
      json: { server, board: args.board, path: target.path, bytes, events, files, head },
      text: `${shown}: ${size(bytes)}, ${counted(events, "event", "events")} and ${counted(files, "file", "files")}, verified.\n${next}`,
    };
  },
});

type Copied = Omit<Following, "kept" | "lost">;

/** Keeps the file up to date, with a line each time it has become newer. */
async function followed(
  cli: Cli,
  flags: { readonly server?: string | undefined },
  copied: Copied,
): Promise<never> {
  cli.system.onSignal("SIGINT", () => cli.system.exit(0));
  const { server } = await asPerson(cli, flags);
  const { board, target, shown } = copied;
  return followBoard(cli, quietApi(cli, server, keyFor(cli, server)!), {
    ...copied,
    async kept({ head, files }, bytes) {
      const json = { board, path: target.path, bytes, files, head };
      const text = `${shown}: ${size(bytes)}, up to #${head.seq}, verified.`;
      // Without a reader it goes on: the copy matters.
      await cli.print(cli.json ? json : text);
    },
    lost: () =>
      cli.note(`${server.url} cannot be reached. It is tried again; ${shown} stays as it is.`),
  });
}
