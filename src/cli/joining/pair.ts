import { sessionForSeat } from "../acting/in-session.ts";
import { ApiError } from "../../client/client.ts";
import { hintedWith } from "../frame/suggest.ts";
import { asPerson } from "../acting/acting.ts";
import type { Api } from "../connection/api.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import { rolesOf } from "./pair-roles.ts";
import { seatText, takeSeat } from "./new-seat.ts";
import { when } from "../terminal/time-text.ts";
import { bold } from "../terminal/style.ts";

/** Refuses a name that the agent could not have on its new board, before the board is made. */
async function refuseName(api: Api, name: string): Promise<void> {
  const { MemberName } = await import("../../contract/scalars.ts");
  if (!new RegExp(MemberName.pattern!).test(name))
    throw usageError(
      `--name must be ${MemberName.description}; ${name} is not.`,
      "Choose another.",
    );
  if ((await api.call("getMe")).name === name)
    throw new LocalError(
      "name_taken",
      `The name ${name} is yours on every board that you make.`,
      "Choose another with `--name`, or leave it out and get a free one.",
    );
}

export default defineCommand({
  summary: "Make a board, a seat for one agent, and a code for the next",
  acts: "session",
  args: {
    template: {
      type: "positional",
      required: false,
      description: "The board's template: general (the default) or writer-reviewer.",
    },
    board: { type: "string", valueHint: "NAME", description: "The new board's name." },
    title: { type: "string", valueHint: "TEXT", description: "The new board's title." },
    name: { type: "string", valueHint: "NAME", description: "The agent's name." },
    ...serverFlag,
  },
  details:
    "Makes a board, a seat on it for one agent, and a code with which your other agents join. Starts the local server when none runs. In a session the seat is the session's own, and its messages come there.",
  examples: [
    ["pair", "A board for two agents of yours."],
    ["pair writer-reviewer --board docs", "A board named docs with a writer and a reviewer."],
  ],
  seeAlso: ["join", "invite", "board new"],
  async run({ args, data: cli }) {
    const session = sessionForSeat(cli, "agent_session_required");
    if (session !== null) {
      const { pairInSession } = await import("./pair-in-session.ts");
      return pairInSession(cli, session, args);
    }
    const { api, server } = await asPerson(cli, args);
    makePrivateFolder(cli.folders.config);
    if (args.name) await refuseName(api, args.name);
    const { template, title, board: name } = args;
    const board = await api
      .call("createBoard", {
        body: { template: template ?? "general", ...(name && { name }), ...(title && { title }) },
      })
      .catch((error: unknown) => {
        throw isTaken(error) && name
          ? error.withHint(
              `For another agent on that board, if you are on it: ${hintedWith({ board: name })("invite")}. Else choose another name: names of boards are never given out twice.`,
            )
          : error;
      });
    const { role, invited } = rolesOf(board.template);
    const body = { board: board.name, role, ...(args.name && { name: args.name }) };
    const joined = await api.call("join", { body });
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
        `For another agent of yours, in a terminal (until ${when(expires_at)}):`,
        bold(cli.typed(`join "${line}"`)),
      ].join("\n"),
    };
  },
});

const isTaken = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "board_name_taken";
