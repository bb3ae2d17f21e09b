import type { Acts, AnyCommand } from "./command.ts";
import type { Cli } from "./cli.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { harnessOf, inSubagent } from "../../client/machine/harness.ts";
import type { Values } from "./parse-arguments.ts";
import { againInTerminal } from "./suggest.ts";

type Admitted = Pick<AnyCommand, "acts" | "inSubagent" | "args">;

/** Refuses a command that may not run here, before it reads a credential or sends a request. */
export function admitHere(cli: Cli, command: Admitted, values: Values): void {
  const isMe = values["me"] === true;
  if (isMe && values["as"] !== undefined)
    throw usageError("`--me` and `--as` name two who would act.", "Leave one of them out.");
  if (inSubagent(cli.env) && (isMe || !decided(command.inSubagent ?? false, values)))
    throw new LocalError(
      "subagent_without_seat",
      "A subagent has no seat of its own, so it may only read.",
      "Let the session that started it do this.",
    );
  const harness = harnessOf(cli.env);
  const namesAgent = Boolean(command.args && "as" in command.args) && !isMe;
  const agent = namesAgent ? undefined : (values["as"] ?? cli.env["SERVICE_AGENT"]);
  const acts: Acts = isMe ? "person" : decided(command.acts, values);
  if (acts === "person" && harness)
    throw notInSession(cli, againInPerson(cli, command, values), isMe);
  if (acts === "person" && agent) throw notAsAgent(cli, agent, isMe);
  if (acts === "session") notForAgent(cli, "agent_session_required", values["as"] ?? null);
}

const decided = <T extends string | boolean>(decision: T | ((args: never) => T), values: Values) =>
  typeof decision === "function" ? decision(values as never) : decision;

/** The typed command for the person's terminal. The session's agent is not selected there, so a command about it gets `--as`. */
function againInPerson(cli: Cli, command: Admitted, values: Values): string {
  if (!command.args || !("as" in command.args)) return againInTerminal(cli);
  const as = values["as"] ?? cli.env["SERVICE_AGENT"];
  const isAbout = decided<Acts>(command.acts, { ...values, as }) === "person";
  return againInTerminal(cli, isAbout && as ? String(as) : null);
}

const notInSession = (cli: Cli, again: string, isMe: boolean) =>
  personOnly(
    cli,
    isMe,
    "and this is a session of an agent",
    `Your person runs this in a terminal: ${again}`,
  );
const notAsAgent = (cli: Cli, agent: Values[string], isMe: boolean) =>
  personOnly(
    cli,
    isMe,
    `and the agent ${String(agent)} is selected here`,
    `Leave out \`--as\` and unset SERVICE_AGENT, then: ${againInTerminal(cli)}`,
  );
const personOnly = (cli: Cli, isMe: boolean, why: string, hint: string) =>
  new LocalError(
    "human_command_in_session",
    `\`${cli.command}${isMe ? " --me" : ""}\` is a person's command, ${why}.`,
    hint,
  );

/** Refuses a command with a selected agent when only a session or a person may run it. */
export function notForAgent(
  cli: Cli,
  code: "agent_session_required" | "session_unknown",
  agent: unknown = cli.env["SERVICE_AGENT"],
): void {
  if (agent)
    throw new LocalError(
      code,
      `The agent ${String(agent)} is selected here, but no session of it runs this command.`,
      `As yourself, leave out \`--as\` and unset SERVICE_AGENT: ${againInTerminal(cli)}`,
    );
}
