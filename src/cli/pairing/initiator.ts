import {
  asAgent,
  isAgents,
  personOnBoard,
  type Person,
  type ActorFlags,
} from "../acting/acting.ts";
import type { Api } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { inSession } from "../../client/machine/harness.ts";
import { ownAgentOf } from "../acting/persons-agent.ts";
import { handle } from "../frame/values.ts";

/** The selected agent asks for itself; in a terminal its person asks, for the agent of `--as` or their only one there. `isAgent` says which. */
export async function initiatorOf(cli: Cli, flags: ActorFlags) {
  const isOwn = isAgents(cli, flags) && (flags.as === undefined || inSession(cli.env));
  if (isOwn) {
    const { api, server, board } = asAgent(cli, flags);
    const { id, name } = await api.call("getMe");
    return { isAgent: true, api, server, board: await boardNamed(api, board), agent: { id, name } };
  }
  if (flags.as === undefined) {
    const person = await personOnBoard(cli, flags);
    return askedBy(person, person.board);
  }
  const { person, board, member } = await ownAgentOf(cli, flags);
  return askedBy(person, board, member);
}

async function askedBy({ api, server }: Person, name: string, agent?: string) {
  const board = await boardNamed(api, name);
  return { isAgent: false, api, server, board, agent: await ownAgentOn(api, name, "--as", agent) };
}

async function boardNamed(api: Api, board: string) {
  const { id, name } = await api.call("getBoard", { params: { board } });
  return { id, name };
}

/** The person's agent of a name on a board, else the only one that they have there. `flag` is what names it. */
export async function ownAgentOn(
  api: Api,
  board: string,
  flag: "--as" | "--agent",
  named?: string,
) {
  const { name: me } = await api.call("getMe");
  const { members } = await api.call("listMembers", { params: { board } });
  const own = members.filter(({ kind, owner }) => kind === "agent" && owner === me);
  const wanted = named === undefined ? own : own.filter(({ name }) => name === handle(named));
  const [agent, ...more] = wanted;
  if (agent && more.length === 0) return { id: agent.id, name: agent.name };
  const names = own.map(({ name }) => name);
  if (names.length === 0)
    throw new LocalError(
      "agent_not_selected",
      `You have no agent on board ${board}.`,
      `Give one a seat there: \`service invite --board ${board}\`.`,
    );
  throw new LocalError(
    named === undefined ? "agent_ambiguous" : "agent_not_selected",
    named === undefined
      ? `You have several agents on board ${board}: ${names.join(", ")}.`
      : `You have no agent ${handle(named)} on board ${board}; there are ${names.join(", ")}.`,
    `Name the one that the session is to work with: \`${flag} NAME\`.`,
    { choices: names },
  );
}
