import { dirname } from "node:path";
import type { DaemonStatus } from "../../../src/client/machine/daemon-wire.ts";
import { startModel, type Model } from "./model.ts";
import { eventually, newPerson, type Agent, type Person } from "./person.ts";
import { programOf, service } from "./programs.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A running Claude Code with the person at its terminal. */
export interface ClaudeSession {
  readonly id: string;
  readonly terminal: Terminal;
  /** Types a prompt and waits until the model is asked. */
  prompt(text: string): Promise<void>;
  /** Lets the model bind the session to an agent, with our command in its shell tool. */
  resume(agent: Agent): Promise<void>;
}

/** How Claude Code is set up, beyond our hooks. */
export interface ClaudeSetUp {
  /** What runs without a question. */
  readonly allow?: readonly string[];
  /** Whether the rule is installed by which sessions run our commands without a question. */
  readonly allowsOurs?: boolean;
  readonly mcp?: object;
}

const key = "sk-ant-lab-000000000000000000000000000000000000";

/**
 * Writes what a Claude Code that was signed in and started before would have: without these an interactive start asks four
 * questions first. Our hooks come from `service init`. `allow` are the tools that run without a question, and `mcp` its tool servers.
 */
export async function setUpClaudeCode(
  person: Person,
  { allow = ["Bash"], allowsOurs = false, mcp = {} }: ClaudeSetUp = {},
): Promise<void> {
  person.write(".claude.json", {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: "99.0.0",
    numStartups: 5,
    hasSeenAutoDefaultNudge: true,
    theme: "dark",
    mcpServers: mcp,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: {
      [person.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true },
    },
  });
  person.write(".claude/settings.json", { permissions: { defaultMode: "default", allow } });
  const flags = allowsOurs ? ["--allow-commands"] : [];
  // What it finds on the PATH decides which hooks it writes.
  const PATH = `${dirname(programOf("claude"))}:${person.env["PATH"]}`;
  await person.service(["init", "--yes", "--harness", "claude-code", ...flags], { PATH });
}

const environment = (person: Person, model: Model): Record<string, string> => ({
  ...person.env,
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_MODEL: "claude-sonnet-5",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
});

/** Starts Claude Code, or resumes a session, and waits until it takes prompts. */
export async function openClaudeCode(
  person: Person,
  model: Model,
  resumed?: string,
): Promise<ClaudeSession> {
  const id = resumed ?? crypto.randomUUID();
  const words = resumed === undefined ? ["--session-id", id] : ["--resume", id];
  const terminal = await openTerminal([programOf("claude"), ...words], {
    cwd: person.project,
    env: environment(person, model),
  });
  await terminal.showing(/^❯/m);
  const prompt = async (text: string) => {
    const before = model.requests.length;
    await terminal.enter(text, () => model.requests.length > before);
  };
  return {
    id,
    terminal,
    prompt,
    async resume(agent) {
      const { name, board } = agent;
      const bound = `bound to ${board}`;
      await prompt(`[[shell: ${service} resume ${name} --board ${board}]] [[say: ${bound}]]`);
      await terminal.showing(new RegExp(`● ${bound}`));
      await person.idle(agent);
    },
  };
}

/** Starts Claude Code, or resumes a session, and waits until it takes prompts and its session is known to the daemon. */
export async function startClaudeCode(
  person: Person,
  model: Model,
  resumed?: string,
): Promise<ClaudeSession> {
  const open = (await person.daemon())?.open_sessions ?? 0;
  const session = await openClaudeCode(person, model, resumed);
  await eventually(
    person.daemon,
    (now) => (now?.open_sessions ?? 0) > open || isBound(now, session.id),
    "the session-start hook",
  );
  return session;
}

const isBound = (status: DaemonStatus | null, id: string): boolean =>
  status !== null &&
  status.bindings.some(({ session, open }) => open && session === `claude-code:${id}`);

/** How `atWork` sets the session up. */
interface Work {
  readonly allow?: readonly string[];
  readonly allowsOurs?: boolean;
  /** Whether the session has the tools of `service mcp`, for the agent writer. */
  readonly withTools?: boolean;
}

/** A person with the agents writer and scout on the board lab, and a session of writer that waits for a prompt. */
export async function atWork({ withTools = false, ...setUp }: Work = {}) {
  const [person, model] = [newPerson(), startModel()];
  const agent = await person.pair("lab", "writer");
  const scout = await person.join("lab", "scout");
  const { SERVICE_HOME } = person.env;
  const args = ["mcp", "--as", "writer"];
  const server = { type: "stdio", command: service, args, env: { SERVICE_HOME } };
  await setUpClaudeCode(person, { ...setUp, ...(withTools && { mcp: { service: server } }) });
  const session = await startClaudeCode(person, model);
  await session.resume(agent);
  return { person, model, agent, scout, session };
}
