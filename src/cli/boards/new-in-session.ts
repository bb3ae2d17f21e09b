import type { NamedSession } from "../../client/machine/harness.ts";
import { createForSession, serverForSession } from "../acting/in-session.ts";
import { seatOfSession, seatOfSessionText } from "../agents/seat-of-session.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { portable, typedWith } from "../frame/suggest.ts";
import { policyNotice } from "./policy-text.ts";

interface Wanted {
  readonly name: string;
  readonly title?: string | undefined;
  readonly private: boolean;
  readonly server?: string | undefined;
}

/** Makes a board of the session's person, with a seat on it for the session. */
export async function newInSession(
  cli: Cli,
  session: NamedSession,
  { name, title, private: isPrivate, server: named }: Wanted,
): Promise<Answer> {
  const server = await serverForSession(cli, named);
  const create = {
    name,
    template: "general",
    ...(title && { title }),
    ...(isPrivate && { visibility: "private" }),
  };
  const bound = await createForSession(cli, session, { server: server.name, create });
  const [board, agent] = [bound.board!, bound.member!];
  const flags = { board: board.name };
  return {
    json: {
      server,
      board,
      agent,
      policy_notice: policyNotice(board.policy),
      join_command: portable({ words: "join", flags }),
      ...seatOfSession(session, agent, bound),
    },
    text: [
      `Board ${board.name} (${board.visibility}) at ${server.url}; your person owns it.`,
      seatOfSessionText(cli, server, board.name, agent, bound),
      `Another session of your person gets there with ${typedWith(cli, flags)("join")}`,
    ].join("\n"),
  };
}
