import { startModel, type Model } from "./model.ts";
import { eventually, newPerson, type Agent, type Person } from "./person.ts";
import { programOf, service } from "./programs.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A running opencode with the person at its terminal. */
export interface OpencodeSession {
  readonly terminal: Terminal;
  /** Types a prompt and waits until the model is asked. */
  prompt(text: string): Promise<void>;
  /** Lets the model bind the session to an agent, with our command in its shell tool, and gives the session's id. */
  resume(agent: Agent): Promise<string>;
}

/**
 * Writes what an opencode has that was signed in before, and lets `service init` install our plugin. The provider has the model's address. With a plugin
 * opencode asks the npm registry at its start: the model answers that with 404, which it takes at once.
 */
export async function setUpOpencode(
  person: Person,
  model: Model,
  config: object = {},
): Promise<void> {
  person.write(".config/opencode/opencode.json", {
    $schema: "https://opencode.ai/config.json",
    model: "anthropic/claude-sonnet-4-5",
    small_model: "anthropic/claude-haiku-4-5",
    autoupdate: false,
    share: "disabled",
    permission: { "*": "allow" },
    provider: { anthropic: { options: { baseURL: `${model.url}/v1`, apiKey: "lab" } } },
    ...config,
  });
  await person.service(["init", "--yes", "--harness", "opencode"]);
}

/** The environment of opencode. Its plugin alone says where our home is. */
function environment(person: Person, model: Model): Record<string, string> {
  const { SERVICE_HOME: _, ...env } = person.env;
  return {
    ...env,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    npm_config_registry: `${model.url}/npm/`,
    npm_config_fetch_retries: "0",
  };
}

/** What shows that the model has ended its turn with these words. */
export const said = (words: string): RegExp => new RegExp(`^[ ┃]*${words} *$`, "m");

/** What the screen shows while a turn runs. */
export const isBusy = /esc (again to )?interrupt/;

/** Starts opencode and waits until it takes prompts. */
export async function startOpencode(
  person: Person,
  model: Model,
  ...words: string[]
): Promise<OpencodeSession> {
  const terminal = await openTerminal([programOf("opencode"), ...words], {
    cwd: person.project,
    env: environment(person, model),
  });
  await terminal.showing(/ctrl\+p commands/, 60_000);
  const prompt = async (text: string) => {
    const after = model.requests.length;
    terminal.type(text);
    // A process that is still starting swallows keys, and Enter without a text does nothing.
    const pressing = setInterval(() => terminal.key("enter"), 1_000);
    await model
      .asked(() => true, { after, milliseconds: 60_000 })
      .finally(() => clearInterval(pressing));
  };
  return {
    terminal,
    prompt,
    async resume({ name, board }) {
      await prompt(`[[shell: ${service} resume ${name} --board ${board}]] [[say: bound]]`);
      await terminal.showing(said("bound"));
      const { bindings } = (await eventually(
        () => person.daemon(),
        (status) =>
          status?.bindings.some(({ agent, open }) => agent.name === name && open) ?? false,
        "the seat of the session",
      ))!;
      const { session } = bindings.find(({ agent }) => agent.name === name)!;
      return session.replace("opencode:", "");
    },
  };
}

/** Runs `opencode run`, which ends by itself. Resolves with its exit code. */
export const runOpencode = (person: Person, model: Model, prompt: string): Promise<number> =>
  Bun.spawn([programOf("opencode"), "run", prompt], {
    cwd: person.project,
    env: environment(person, model),
    stdio: ["ignore", "ignore", "ignore"],
  }).exited;

/** A person at work in opencode: the agent `writer` of the board `lab` is bound to the session, and `scout` is another agent of theirs. */
export async function atWork(config: (person: Person) => object = () => ({})) {
  const [person, model] = [newPerson(), startModel()];
  const agent = await person.pair("lab", "writer");
  const scout = await person.join("lab", "scout");
  await setUpOpencode(person, model, config(person));
  const session = await startOpencode(person, model);
  const id = await session.resume(agent);
  await person.idle(agent);
  return { person, model, agent, scout, session, id };
}

/** How often a text stands in what the model got as the whole conversation. */
export const timesIn = (text: string, part: string): number => text.split(part).length - 1;
