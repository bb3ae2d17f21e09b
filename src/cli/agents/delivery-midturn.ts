import {
  asAgentOrPerson,
  asPerson,
  isAgents,
  type Person,
  type ActorFlags,
} from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import type { Cli } from "../frame/cli.ts";
import { actorFlags, defineCommand, type Answer } from "../frame/command.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { ownAgentOf } from "../acting/persons-agent.ts";
import { midturnLine, type MidturnPolicy } from "./midturn-text.ts";
import { bold } from "../terminal/style.ts";
import { columns } from "../terminal/table.ts";

export default defineCommand({
  summary: "Show or set whose messages may reach a busy agent",
  acts: (args) => (args.policy === undefined ? "either" : "person"),
  args: {
    policy: {
      type: "positional",
      required: false,
      options: ["owner-only", "my-agents", "default", "clear"],
      description:
        "The new policy; `default` or `clear` removes an agent's own policy. Leave it out to see the current one.",
    },
    ...actorFlags,
  },
  details:
    "Whose messages may reach a busy agent of yours: only yours, or urgent messages from your other agents too. With `--as` it is the policy of that agent, and without it the default for all your agents. Only you can change it, in a terminal. It is for every daemon that delivers to your agents. That of this program brings other agents' messages at the end of a turn, whatever the policy.",
  examples: [
    ["delivery midturn owner-only", "Let nobody but you reach your busy agents."],
    ["delivery midturn my-agents --as claude", "Let your other agents reach claude."],
    ["delivery midturn default --as claude", "Claude follows your default again."],
  ],
  seeAlso: ["delivery", "agents", "status"],
  async run({ args, data: cli }) {
    const { policy } = args;
    if (policy === undefined) return show(cli, args);
    const set = policy === "default" || policy === "clear" ? null : policy;
    if (isAgents(cli, args)) return setForAgent(cli, set, args);
    if (set === null)
      throw usageError(
        "Only an agent's own policy can be removed, and no agent is chosen.",
        "Add `--as NAME`, or set your default: `service delivery midturn my-agents`.",
      );
    const person = await asPerson(cli, args);
    const answer = await person.api.call("setMidturnPolicy", { body: { policy: set } });
    return byDefault(person, answer);
  },
});

interface View {
  readonly policy: MidturnPolicy;
  readonly source: "person_default" | "agent_override";
  readonly changed?: boolean;
  readonly overrides?: readonly { readonly member_id: string; readonly policy: MidturnPolicy }[];
}

async function show(cli: Cli, flags: ActorFlags): Promise<Answer> {
  const actor = await asAgentOrPerson(cli, flags);
  const view = await actor.api.call("getMidturnPolicy");
  return actor.kind === "agent"
    ? ofAgent({ board: actor.board, agent: actor.seat.name }, view)
    : byDefault(actor, view);
}

async function setForAgent(
  cli: Cli,
  policy: MidturnPolicy | null,
  flags: ActorFlags,
): Promise<Answer> {
  if (flags.server)
    throw usageError("An agent is on the server of its seat.", "Leave out `--server`.");
  const { person, board, member: agent } = await ownAgentOf(cli, flags);
  const { members } = await person.api.call("listMembers", { params: { board } });
  const member = members.find(({ kind, name }) => kind === "agent" && name === agent);
  if (!member)
    throw new LocalError(
      "agent_not_found",
      `There is no agent ${agent} on board ${board} now.`,
      "`service agents` lists yours.",
    );
  const body = { policy, member_id: member.id };
  return ofAgent({ board, agent }, await person.api.call("setMidturnPolicy", { body }));
}

const ofAgent = (
  { board, agent }: { board: string; agent: string },
  { policy, source, changed = false }: View,
): Answer => ({
  json: { board, agent, policy, source, changed },
  text: `${agent} on ${board}\n${midturnLine(policy, source)}`,
});

/** A person's default, and which of their agents have a policy of their own. */
async function byDefault({ api, server }: Person, view: View): Promise<Answer> {
  const { policy, source, changed = false } = view;
  const { agents } = view.overrides?.length ? await api.call("listOwnAgents") : { agents: [] };
  const overrides = (view.overrides ?? []).flatMap(({ member_id, policy: own }) => {
    const agent = agents.find(({ id }) => id === member_id);
    return agent ? [{ board: agent.board, agent: agent.name, member_id, policy: own }] : [];
  });
  const rows = overrides.map((own) => [bold(oneLine(own.agent)), own.board, own.policy]);
  return {
    json: { server, policy, source, changed, overrides },
    text: [
      `Your agents at ${server.url}`,
      midturnLine(policy),
      ...(rows.length ? [`With a policy of their own:\n${columns(rows)}`] : []),
    ].join("\n"),
  };
}
