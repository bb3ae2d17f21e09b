import type { Cli } from "../cli.ts";
import { defineCommand, serverFlag, type Answer } from "../command.ts";
import { usageError } from "../errors.ts";
import { parseJoin } from "../join-line.ts";
import { makePrivateFolder } from "../private-files.ts";
import { seatText, takeSeat } from "../seating.ts";
import { serverOfLine } from "../line-server.ts";
import { asPerson } from "../acting.ts";
import { selectServer } from "../servers.ts";
import { joinAsPerson } from "../join-board.ts";

export default defineCommand({
  acts: "session",
  args: {
    line: {
      type: "positional",
      required: false,
      multiple: true,
      description: "The join line in quotes, or its code alone.",
    },
    board: {
      type: "string",
      valueHint: "BOARD",
      description: "Join this open board yourself, as a person.",
    },
    name: { type: "string", valueHint: "NAME", description: "The new agent's name." },
    harness: {
      type: "string",
      valueHint: "HARNESS",
      description: "What the agent runs in, such as claude-code.",
    },
    ...serverFlag,
  },
  details:
    "With a line or a code: gives an agent of yours a seat on the board, and keeps its token on this machine. With --board: puts you, the person, on an open board.",
  examples: [
    ['join "Join service board docs on localhost as reviewer with code 7QK-M2X"', "A seat."],
    ["join --board docs", "You yourself, on an open board."],
  ],
  seeAlso: ["invite", "pair", "boards"],
  run({ args, data: cli }) {
    const text = args.line.join(" ");
    if (args.board !== undefined && text === "") return joinAsPerson(cli, args.board, args);
    if (text === "" || args.board !== undefined)
      throw usageError(
        "Give a join line or code, or `--board`, and not both.",
        "`service help join` shows both.",
      );
    return redeem(cli, text, args);
  },
});

interface Chosen {
  readonly name?: string | undefined;
  readonly harness?: string | undefined;
  readonly server?: string | undefined;
}

async function redeem(cli: Cli, text: string, chosen: Chosen): Promise<Answer> {
  const line = parseJoin(text);
  const server = "url" in line ? serverOfLine(cli, line.url) : selectServer(cli, chosen.server);
  const { api } = await asPerson(cli, { server: server.name });
  makePrivateFolder(cli.folders.config);
  const { name, harness } = chosen;
  const joined = await api.call("join", {
    body: { code: line.code, ...(name && { name }), ...(harness && { harness }) },
  });
  const seat = takeSeat(cli, server, joined);
  const charter = joined.board.charter;
  const roleCharter = joined.board.roles[joined.agent.role ?? ""]?.charter ?? "";
  return {
    json: { server, ...seat, charter, role_charter: roleCharter },
    text: [
      seatText(cli, server, seat),
      ...(charter ? ["", "Charter of the board:", charter] : []),
      ...(roleCharter ? ["", `Charter of the role ${joined.agent.role}:`, roleCharter] : []),
    ].join("\n"),
  };
}
