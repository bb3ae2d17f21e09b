import type { Cli } from "../cli.ts";
import { defineCommand, serverFlag, type Answer } from "../command.ts";
import { usageError } from "../errors.ts";
import { machineName } from "../identity.ts";
import { parseJoin, type JoinLine } from "../join-line.ts";
import { saved } from "../machine-request.ts";
import { makePrivateFolder } from "../private-files.ts";
import { seatText, takeSeat } from "../seating.ts";
import { hasKey, serverOfLine } from "../line-server.ts";
import { asPerson } from "../acting.ts";
import { apiOf } from "../api.ts";
import { selectServer, type ServerRef } from "../servers.ts";
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
  if ("url" in line && line.role === "guest" && !hasKey(cli, line.url))
    return joinAsGuest(cli, line, chosen);
  const server = "url" in line ? serverOfLine(cli, line.url) : selectServer(cli, chosen.server);
  const { api } = await asPerson(cli, { server: server.name });
  makePrivateFolder(cli.folders.config);
  const { name, harness } = chosen;
  const joined = await api.call("join", {
    body: { code: line.code, ...(name && { name }), ...(harness && { harness }) },
  });
  return seatAnswer(cli, server, joined);
}

/** A newcomer's first key comes with the seat: no credential of this machine's is sent. */
async function joinAsGuest(cli: Cli, line: JoinLine, chosen: Chosen): Promise<Answer> {
  const server = { name: line.url, url: line.url };
  const api = apiOf(cli, server);
  makePrivateFolder(cli.folders.config);
  const { name, harness } = chosen;
  const joined = await api.call("guestJoin", {
    body: {
      code: line.code,
      key_name: machineName(),
      ...(name && { name }),
      ...(harness && { harness }),
    },
  });
  saved(cli, server, joined);
  const { json, text } = seatAnswer(cli, server, joined);
  return {
    json: { ...json, guest: true },
    text: `You are a guest of ${server.url} as @${joined.person.handle}: you read and post on this board.\n${text}`,
  };
}

function seatAnswer(cli: Cli, server: ServerRef, joined: Parameters<typeof takeSeat>[2]): Answer {
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
