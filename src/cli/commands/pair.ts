import { ApiError } from "../../client/client.ts";
import { asPerson } from "../acting.ts";
import { defineCommand, serverFlag } from "../command.ts";
import { notForAgent } from "../gate.ts";
import { refuseUnwritable } from "../private-files.ts";
import { seatText, takeSeat } from "../seating.ts";
import { when } from "../render/time.ts";
import { bold } from "../style.ts";
import { atServer } from "../typed-again.ts";

/** A board that was made before its seat was refused stays, so the next command is not `pair` again. */
const boardAlone = (board: string, at: string) => (error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  const { status, code, message, details } = error;
  const hint = `Board ${board} was made, without an agent. For a seat on it: \`service invite --board ${board}${at}\`, then \`service join "LINE" --name NAME\`.`;
  throw new ApiError(status, { error: { code, message, hint, ...(details && { details }) } });
};

/** The roles of a template's two seats. */
const pairs: Record<string, readonly [string, string]> = {
  "writer-reviewer": ["writer", "reviewer"],
};

export default defineCommand({
  acts: "session",
  args: {
    template: {
      type: "positional",
      required: false,
      description: "general (unless said) or writer-reviewer.",
    },
    board: { type: "string", valueHint: "NAME", description: "The new board's name." },
    title: { type: "string", valueHint: "TEXT", description: "The new board's title." },
    name: { type: "string", valueHint: "NAME", description: "The agent's name." },
    ...serverFlag,
  },
  details:
    "Makes a board, a seat on it for one agent, and a code with which your other agents join. Starts the local server when none runs.",
  examples: [
    ["pair", "A board for two agents of yours."],
    ["pair writer-reviewer --board docs", "A board named docs with a writer and a reviewer."],
  ],
  seeAlso: ["join", "invite", "board new"],
  async run({ args, data: cli }) {
    notForAgent(cli, "agent_session_required");
    const { api, server } = await asPerson(cli, args);
    refuseUnwritable(cli.folders.config);
    const { template, title, board: name } = args;
    const board = await api.call("createBoard", {
      body: { template: template ?? "general", ...(name && { name }), ...(title && { title }) },
    });
    const [role, invited] = pairs[board.template ?? ""] ?? ["member", "member"];
    const body = { board: board.name, role, ...(args.name && { name: args.name }) };
    const joined = await api
      .call("join", { body })
      .catch(boardAlone(board.name, atServer(cli, server)));
    const seat = takeSeat(cli, server, joined);
    const made = await api.call("createJoinCode", {
      params: { board: board.name },
      body: { role: invited },
    });
    const { code, join_line: line, expires_at } = made;
    return {
      json: {
        server,
        server_started: cli.serverStarted,
        ...seat,
        join: { code, line, role: invited, expires_at },
      },
      text: [
        seatText(cli, server, seat),
        "",
        `For another agent of yours (until ${when(expires_at)}):`,
        bold(cli.typed(`join "${line}"`)),
      ].join("\n"),
    };
  },
});
