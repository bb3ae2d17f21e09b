import { afterAll } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startModel, type Model } from "./model.ts";
import { eventually, newPerson, type Agent, type Person } from "./person.ts";
import { programOf, programsFolder, service } from "./programs.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A running Codex with the person at its terminal. */
export interface CodexSession {
  readonly terminal: Terminal;
  /** Types a prompt and waits until the model is asked. */
  prompt(text: string): Promise<void>;
  /** Lets the model bind the session to an agent, with our command in its shell tool. Gives the session's id. */
  resume(agent: Agent): Promise<string>;
}

/** How Codex is set up, beyond our hooks. */
export interface CodexSetUp {
  readonly sandbox?: "danger-full-access" | "workspace-write";
  /** Whether the person has trusted our hooks. */
  readonly trusts?: boolean;
  /** Whether sessions may run our command outside the sandbox. */
  readonly hasRule?: boolean;
  /** Lines of its configuration. */
  readonly config?: string;
}

const environment = (env: Record<string, string>): Record<string, string> => ({
  ...env,
  PATH: `${join(programsFolder, "node_modules/.bin")}:${env["PATH"]}`,
  LAB_KEY: "lab",
});

/** Writes what a Codex that was signed in and started before would have. Our hooks and our rule come from `service init`. */
export async function setUpCodex(
  person: Person,
  model: Model,
  { sandbox = "danger-full-access", trusts = true, hasRule = true, config = "" }: CodexSetUp = {},
): Promise<void> {
  person.write(
    ".codex/config.toml",
    `model = "gpt-5.1-codex"
model_provider = "lab"
approval_policy = "never"
sandbox_mode = "${sandbox}"
check_for_update_on_startup = false
${config}
[model_providers.lab]
name = "lab"
base_url = "${model.url}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."${person.project}"]
trust_level = "trusted"

[notice]
hide_full_access_warning = true

[analytics]
enabled = false
`,
  );
  const flags = [...(hasRule ? ["--allow-commands"] : []), ...(trusts ? ["--trust-hooks"] : [])];
  await person.service(["init", "--yes", "--harness", "codex", ...flags], environment(person.env));
  stopAtEnd(person);
}

/** The processes of the person's Codex: the app server that an interactive one leaves running, and its children. */
function processesOf({ home }: Person): number[] {
  const found = Bun.spawnSync(["pgrep", "-f", `^${home}/\\.codex/`]).stdout.toString();
  return found.split("\n").filter(Boolean).map(Number);
}

/** A hook that still ran may have started another daemon, after the person's `down`. So whatever has their home is ended. */
function stopAtEnd({ home }: Person): void {
  afterAll(() => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
      if (environmentOf(pid).includes(`HOME=${home}`)) kill(Number(pid));
  });
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Kills the app server that the person's sessions run in. */
export function killServer(person: Person): void {
  for (const pid of processesOf(person)) kill(pid);
}

/** Starts Codex and waits until it takes prompts, as it does without trust in its hooks. `words` are further arguments, such as `resume ID`. */
export async function startCodex(
  person: Person,
  model: Model,
  words: readonly string[] = [],
  asksForTrust = false,
): Promise<CodexSession> {
  const terminal = await openTerminal([programOf("codex"), ...words], {
    cwd: person.project,
    env: environment(person.env),
  });
  const ready = words[0] === "resume" ? /^›/m : /Ask Codex to do anything/;
  await terminal.showing(asksForTrust ? /Trust all and continue/ : ready);
  // Without trust it goes on after Escape, once it takes keys.
  if (asksForTrust)
    await eventually(
      () => {
        if (terminal.screen().includes("Trust all and continue")) terminal.key("escape");
        return terminal.screen();
      },
      (screen) => ready.test(screen) && !screen.includes("Trust all and continue"),
      "a prompt",
    );
  const prompt = async (text: string) => {
    const before = model.requests.length;
    await terminal.enter(text, () => model.requests.length > before);
  };
  return {
    terminal,
    prompt,
    async resume({ name, board }) {
      const bound = `bound to ${board}`;
      await prompt(`[[shell: ${service} resume ${name} --board ${board}]] [[say: ${bound}]]`);
      await terminal.showing(new RegExp(`• ${bound}`));
      const status = await person.daemon();
      const binding = status?.bindings.find(({ agent }) => agent.name === name);
      if (!binding) throw new Error(`nothing was bound: ${model.requests.at(-1)?.newest}`);
      await eventually(
        person.daemon,
        (now) => now!.servers.every(({ connected }) => connected),
        "the stream",
      );
      return binding.session.slice("codex:".length);
    },
  };
}

/** A person with the agents writer and scout on the board lab, and a session of writer that waits for a prompt. */
export async function atWork({ words = [], ...setUp }: CodexSetUp & { words?: string[] } = {}) {
  const [person, model] = [newPerson(), startModel()];
  const agent = await person.pair("lab", "writer");
  const scout = await person.join("lab", "scout");
  await setUpCodex(person, model, setUp);
  const session = await startCodex(person, model, words, setUp.trusts === false);
  const id = await session.resume(agent);
  await person.idle(agent);
  return { person, model, agent, scout, session, id };
}
