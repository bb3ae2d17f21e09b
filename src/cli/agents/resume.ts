import { askDaemon } from "../../client/machine/daemon-client.ts";
import { sessionOf } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { selectSeat } from "../acting/acting.ts";
import { ensureDaemon } from "../local-daemon/own-daemon.ts";
import { agentFlags, defineCommand } from "../frame/command.ts";
import { hinted } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Bind this session to one of your agents",
  acts: "neutral",
  args: {
    agent: { type: "positional", description: "One of this machine's agents." },
    board: agentFlags.board,
  },
  details:
    "The session takes the agent's seat: its messages come here, and wake the session when it is idle. A session that had the seat loses it. Only the session itself can do this.",
  seeAlso: ["status", "daemon start"],
  async run({ args, data: cli }) {
    const session = sessionOf(cli.env);
    if (session === null)
      throw new LocalError(
        "agent_session_required",
        "This terminal is no session of an agent that messages can be delivered to.",
        `The agent runs it in its session. In a terminal, name the agent in each command: ${hinted({ words: "inbox", flags: { as: args.agent } })}, or set SERVICE_AGENT.`,
      );
    const { server, board, name, member_id } = selectSeat(cli, {
      as: args.agent,
      board: args.board,
    });
    await ensureDaemon(cli);
    const agent = { server, board, name, member_id };
    const { previous } = await askDaemon(cli, { op: "bind", ...session, agent });
    const before = previous?.name ?? null;
    return {
      json: {
        ...{ agent: name, board },
        session: `${session.harness}:${session.session}`,
        previous_agent: before,
      },
      text: `This session is now ${name} on ${board}${before === null ? "" : `, in place of ${before}`}. Messages come here by themselves.`,
    };
  },
});
