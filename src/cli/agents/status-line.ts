import type { Given } from "../../client/client.ts";
import type { AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { requireFeature, type Feature } from "../connection/features.ts";
import { inSession } from "../../client/machine/harness.ts";
import { ownAgentOf } from "../acting/persons-agent.ts";
import { lineText, type Member } from "./status-line-text.ts";
import { agentPlaceOf, flagsAtTask } from "../acting/place-of.ts";

type Line = NonNullable<Given<"setLine">["body"]>;

/** Sets or removes an agent's status line: as the agent, or as its person with `--as` in a terminal. */
export async function changeStatusLine(
  cli: Cli,
  flags: AgentFlags,
  line: Line | null,
): Promise<Answer> {
  const isPersons = flags.as !== undefined && !inSession(cli.env);
  const member = await (isPersons ? changeAsPerson : changeAsAgent)(cli, flags, line);
  const { board, name: agent, state } = member;
  const shown = member.line ? `is ${lineText(member.line, state)}` : "has no status line";
  return {
    json: { board, agent, line: member.line, state },
    text: `${agent} on ${board} ${shown}`,
  };
}

async function changeAsAgent(cli: Cli, flags: AgentFlags, line: Line | null): Promise<Member> {
  const { api } = await agentPlaceOf(cli, flags, { task: line?.task, needs: neededFor(line) });
  return line ? api.call("setLine", { body: line }) : api.call("clearLine");
}

async function changeAsPerson(cli: Cli, flags: AgentFlags, line: Line | null): Promise<Member> {
  const { person, ...params } = await ownAgentOf(cli, await flagsAtTask(cli, flags, line?.task));
  await requireFeature(person, ...neededFor(line));
  return line
    ? person.api.call("setMemberLine", { params, body: line })
    : person.api.call("clearMemberLine", { params });
}

/** The features that a status line needs: `tasks` too if it is about a task. */
const neededFor = (line: Line | null): readonly Feature[] =>
  line?.task === undefined ? ["lines"] : ["lines", "tasks"];
