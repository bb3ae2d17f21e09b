import type { NamedSession } from "../../client/machine/harness.ts";
import { agentIn, seatsOn } from "../acting/acting.ts";
import { createForSession, serverForSession } from "../acting/in-session.ts";
import { seatOfSession, seatOfSessionText } from "../agents/seat-of-session.ts";
import { policyNotice } from "../boards/policy-text.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { bold } from "../terminal/style.ts";
import { when } from "../terminal/time-text.ts";
import { rolesOf } from "./pair-roles.ts";

interface Wanted {
  readonly template?: string | undefined;
  readonly board?: string | undefined;
  readonly title?: string | undefined;
  readonly name?: string | undefined;
  readonly server?: string | undefined;
}

/** Makes a board with a seat for the session, and a code with which the agent brings the next one. */
export async function pairInSession(
  cli: Cli,
  session: NamedSession,
  { template = "general", board: wanted, title, name, server: named }: Wanted,
): Promise<Answer> {
  const server = await serverForSession(cli, named);
  const { role, invited } = rolesOf(template);
  const bound = await createForSession(cli, session, {
    server: server.name,
    role,
    create: { template, ...(wanted && { name: wanted }), ...(title && { title }) },
    ...(name && { agent_name: name }),
  });
  const [board, agent] = [bound.board!, bound.member!];
  const seat = seatsOn(cli, board.name).find(({ member_id }) => member_id === agent.id)!;
  const made = await agentIn(cli, seat).api.call("createJoinCode", {
    params: { board: board.name },
    body: { role: invited },
  });
  const { code, join_line: line, expires_at } = made;
  return {
    json: {
      server,
      server_started: cli.serverStarted,
      board,
      agent,
      policy_notice: policyNotice(board.policy),
      ...seatOfSession(session, agent, bound),
      join: { code, line, role: invited, expires_at },
    },
    text: [
      seatOfSessionText(cli, server, board.name, agent, bound),
      "",
      `For another agent of your person, in its session (until ${when(expires_at)}):`,
      bold(cli.typed(`join "${line}"`)),
    ].join("\n"),
  };
}
