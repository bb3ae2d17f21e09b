import { ApiError } from "../../client/client.ts";
import { sessionOf } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { seatNamed, serverOfSeat } from "../acting/acting.ts";
import { bindSession } from "../acting/in-session.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { agentFlags, defineCommand } from "../frame/command.ts";
import { hinted, typedWith } from "../frame/suggest.ts";
import { reorientation } from "./reorient.ts";
import { seatOfSession, seatOfSessionText } from "./seat-of-session.ts";

/** What a server answers for a seat that has ended, or whose token works no more. */
const endings = new Set([401, 403, 404]);

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
    const seat = seatNamed(cli, { as: args.agent, board: args.board });
    const api = quietApi(cli, serverOfSeat(cli, seat), seat.token);
    // If the server is away, nothing is said about the mode. A seat that it calls over would get no message.
    const known = await api.call("getMe").catch((error: unknown) => {
      if (error instanceof ApiError && endings.has(error.status)) throw error;
      return null;
    });
    const bound = await bindSession(cli, session, seat);
    const typed = typedWith(cli, (bound.seats?.length ?? 0) > 1 ? { board: seat.board } : {});
    const nudges = await reorientation(cli, api, seat.board, typed);
    const agent = { name: seat.name, delivery_mode: known?.delivery_mode ?? null };
    const { previous_agent, delivery, delivery_rule, seats } = seatOfSession(session, agent, bound);
    return {
      json: {
        agent: seat.name,
        board: seat.board,
        session: `${session.harness}:${session.session}`,
        previous_agent,
        ...(delivery && { delivery, delivery_rule }),
        ...(seats && { seats }),
        nudges,
      },
      text: [
        seatOfSessionText(cli, serverOfSeat(cli, seat), seat.board, agent, bound),
        ...nudges.map(({ text }) => text),
      ].join("\n"),
    };
  },
});
