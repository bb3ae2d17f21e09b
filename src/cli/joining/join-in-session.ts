import type { OutputOf } from "../../contract/index.ts";
import type { NamedSession } from "../../client/machine/harness.ts";
import { usageError } from "../../client/machine/local-error.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import type { DaemonAnswer } from "../../client/machine/daemon-wire.ts";
import { askForSession, bindSession, serverForSession } from "../acting/in-session.ts";
import { seatsOn, serverOfSeat } from "../acting/acting.ts";
import { reorientation } from "../agents/reorient.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { typedWith } from "../frame/suggest.ts";
import { seatOfSession, seatOfSessionText } from "../agents/seat-of-session.ts";
import { policyNotice } from "../boards/policy-text.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import type { JoinFlags } from "./join-board.ts";
import { chartersText, takeSeat } from "./new-seat.ts";

type Joined = Pick<OutputOf<"join">, "agent" | "board">;

/** Gives the session a seat on a board by the board's name: the one that it had there, or a new one. */
export async function joinInSession(
  cli: Cli,
  session: NamedSession,
  board: string,
  { name = "", role, harness, server: named }: JoinFlags,
): Promise<Answer> {
  if (harness !== undefined)
    throw usageError("The session says what the agent runs in.", "Leave out `--harness`.");
  const server = await serverForSession(cli, named);
  const bound = await askForSession(cli, session, {
    op: "join",
    agent: { server: server.name, board, name },
    ...(role !== undefined && { role }),
  });
  const joined = { agent: bound.member!, board: bound.board! };
  const { json, text } = joinedAnswer(cli, session, server, joined, bound);
  const reused = bound.reused === true;
  if (!reused) return { json: { ...json, via: "delegation", reused }, text };
  const nudges = await whereSeatIs(cli, joined, (bound.seats?.length ?? 0) > 1);
  return {
    json: { ...json, via: "delegation", reused, nudges },
    text: ["The session had a seat there before.", text, ...nudges.map((one) => one.text)].join(
      "\n",
    ),
  };
}

/** Where the agent of a seat that the session had before finds itself. */
async function whereSeatIs(
  cli: Cli,
  { agent, board: { name: board } }: Joined,
  isOneOfSeveral: boolean,
) {
  const seat = seatsOn(cli, board).find(({ member_id }) => member_id === agent.id)!;
  const api = quietApi(cli, serverOfSeat(cli, seat), seat.token);
  return reorientation(cli, api, board, typedWith(cli, isOneOfSeveral ? { board } : {}));
}

/** Ties the session to the seat that a code gave it. */
export async function takeForSession(
  cli: Cli,
  session: NamedSession,
  server: ServerRef,
  joined: OutputOf<"join">,
  isGuest: boolean,
): Promise<Answer> {
  takeSeat(cli, server, joined);
  const { name, id: member_id } = joined.agent;
  const seat = { server: server.name, board: joined.board.name, name, member_id };
  const bound = await bindSession(cli, session, seat);
  const { json, text } = joinedAnswer(cli, session, server, joined, bound);
  return { json: { ...json, ...(isGuest && { guest: true }) }, text };
}

function joinedAnswer(
  cli: Cli,
  session: NamedSession,
  server: ServerRef,
  { agent, board }: Joined,
  bound: DaemonAnswer,
): Answer {
  const role_charter = board.roles[agent.role ?? ""]?.charter ?? "";
  return {
    json: {
      server,
      board,
      agent,
      policy_notice: policyNotice(board.policy),
      ...seatOfSession(session, agent, bound),
      charter: board.charter,
      role_charter,
    },
    text: [
      seatOfSessionText(cli, server, board.name, agent, bound),
      ...chartersText(board.charter, agent.role, role_charter),
    ].join("\n"),
  };
}
