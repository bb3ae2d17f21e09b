import { personOnBoard, type Person } from "../acting/acting.ts";
import { boardFlags, defineCommand, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import type { Cli } from "../frame/cli.ts";
import { forgetSeat, readSeats } from "../../client/machine/seats.ts";
import { selectServer } from "../../client/machine/servers.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Remove an agent from its board for good",
  acts: "person",
  args: {
    agent: { type: "positional", description: "The agent's name on the board, or its id." },
    ...yesFlag,
    ...boardFlags,
  },
  details:
    "For the agent's person, an owner of the board, or a server admin. The agent's token stops working at once. Asks, unless `--yes`. `--board` also takes the board's id.",
  seeAlso: ["leave", "status"],
  async run({ args, data: cli }) {
    const member = handle(args.agent);
    const { api, server, board } = await personOnBoard(cli, {
      ...args,
      board: boardOf(cli, member, args),
    });
    const params = { board, member };
    const question = `Removing the agent ${params.member} from board ${board} at ${server.url} ends its seat for good${await alsoEnds(api, params)}. Remove it?`;
    if (!args.yes && !confirmed(cli, question))
      return { json: { board, agent: null }, text: "Nothing was changed." };
    const agent = await api.call("removeAgent", { params });
    forgetSeat(cli, agent.id);
    return {
      json: { board: agent.board, agent },
      text: `Agent ${agent.name ?? agent.id} of @${agent.owner} is no longer on board ${agent.board ?? board} at ${server.url}.`,
    };
  },
});

/** The board that is named, else the one where this machine has the only seat of that name. */
function boardOf(cli: Cli, member: string, { board, server }: Parameters<typeof personOnBoard>[1]) {
  const named = board ?? cli.env["SERVICE_BOARD"];
  if (named) return named;
  const { name: at } = selectServer(cli, server);
  const seats = readSeats(cli).filter((seat) => seat.name === member && seat.server === at);
  return seats.length === 1 ? seats[0]!.board : undefined;
}

/** What a removal ends beside the seat, as part of a sentence. A board that only its id names may be unreadable here. */
async function alsoEnds(
  api: Person["api"],
  { board, member }: { readonly board: string; readonly member: string },
): Promise<string> {
  const answer = await api.call("listMembers", { params: { board } }).catch(() => null);
  const task = answer?.members.find(
    ({ name, id }) => name === member || id === member,
  )?.current_task;
  return task ? `, and it drops its task ${task.ref}` : "";
}
