import { sessionForSeat } from "../acting/in-session.ts";
import { asPerson } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag, type Answer } from "../frame/command.ts";
import { sessionOf, type NamedSession } from "../../client/machine/harness.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { joinAsGuest } from "./guest-join.ts";
import { joinAsPerson, type JoinFlags } from "./join-board.ts";
import { hasKey, parseJoin, serverOfLine } from "./join-line.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import { seatAnswer } from "./new-seat.ts";
import { selectServer } from "../../client/machine/servers.ts";

export default defineCommand({
  summary: "Take a seat for an agent, come as a guest, or join an open board",
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
      description:
        "In a session: get a seat on this board. In a terminal: join this open board yourself, as a person.",
    },
    name: { type: "string", valueHint: "NAME", description: "The new agent's name." },
    role: {
      type: "string",
      valueHint: "ROLE",
      description: "With --board in a session: the new agent's role (else member).",
    },
    harness: {
      type: "string",
      valueHint: "HARNESS",
      description: "What the agent runs in, such as claude-code.",
    },
    ...serverFlag,
  },
  details:
    "With a join line or its code: adds an agent of yours to the board, and keeps its token on this machine. If the line is for a guest and this machine has no key for that server, you also become a guest there. In a session the seat is the session's own, and its messages come there. With --board in a session: gives the session a seat on a board that its person can see, or the one that it had there. With --board in a terminal: adds you, the person, to an open board.",
  examples: [
    [
      'join "Join service board docs on localhost as reviewer with code 7QK-M2X"',
      "A seat for an agent.",
    ],
    ["join --board docs", "You yourself, on an open board."],
  ],
  seeAlso: ["invite", "pair", "boards"],
  async run({ args, data: cli }) {
    const text = args.line.join(" ");
    if (args.board !== undefined && text === "") {
      const session = sessionForSeat(cli, "session_unknown");
      if (session === null) return joinAsPerson(cli, args.board, args);
      const { joinInSession } = await import("./join-in-session.ts");
      return joinInSession(cli, session, args.board, args);
    }
    if (text === "" || args.board !== undefined)
      throw usageError(
        "Give a join line or code, or `--board`, and not both.",
        "`service help join` shows both.",
      );
    if (args.role !== undefined)
      throw usageError("The code says the agent's role.", "Leave out `--role`.");
    return redeem(cli, text, args);
  },
});

async function redeem(cli: Cli, text: string, chosen: JoinFlags): Promise<Answer> {
  const line = parseJoin(text);
  const session = sessionOf(cli.env) && sessionForSeat(cli, "session_unknown");
  const { name, harness = session?.harness } = chosen;
  const given = { code: line.code, ...(name && { name }), ...(harness && { harness }) };
  if (!("url" in line)) {
    const server = selectServer(cli, chosen.server);
    return takeWithKey(cli, session, server.name, given, false);
  }
  if (chosen.server !== undefined)
    throw usageError("A join line names its server.", "Leave out `--server`.");
  const isGuest = line.role === "guest";
  if (isGuest && !hasKey(cli, line.url)) return joinAsGuest(cli, session, line.url, given);
  return takeWithKey(cli, session, serverOfLine(cli, line.url).name, given, isGuest);
}

/** Redeems a code with this machine's key for the server. A guest code that was redeemed before belongs to the guest whose key is here. */
async function takeWithKey(
  cli: Cli,
  session: NamedSession | null,
  serverName: string,
  body: { code: string; name?: string; harness?: string },
  isGuest: boolean,
): Promise<Answer> {
  const { api, server } = await asPerson(cli, { server: serverName });
  makePrivateFolder(cli.folders.config);
  if (session === null) return seatAnswer(cli, server, await api.call("join", { body }), isGuest);
  const named = { ...body, session: `${session.harness}:${session.session}` };
  const joined = await api.call("join", { body: named });
  const { takeForSession } = await import("./join-in-session.ts");
  return takeForSession(cli, session, server, joined, isGuest);
}
