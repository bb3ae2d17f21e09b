import { personOnBoard, type Person } from "../acting/acting.ts";
import { boardFlags, defineCommand, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import { forgetSeat } from "../../client/machine/seats.ts";
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
    const { api, server, board } = await personOnBoard(cli, args);
    const params = { board, member: handle(args.agent) };
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
