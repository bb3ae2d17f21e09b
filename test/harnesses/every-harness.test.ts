import { describe, expect } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { provesFor } from "./support/capabilities.ts";
import { openClaudeCode, setUpClaudeCode, startClaudeCode } from "./support/claude-code.ts";
import { setUpCodex, startCodex } from "./support/codex.ts";
import { startModel, type Model } from "./support/model.ts";
import { said, setUpOpencode, startOpencode } from "./support/opencode.ts";
import { eventually, newPerson, type Agent, type Person } from "./support/person.ts";
import { service } from "./support/programs.ts";
import type { Terminal } from "./support/terminal.ts";

interface Session {
  readonly terminal: Terminal;
  prompt(text: string): Promise<void>;
  resume(agent: Agent): Promise<unknown>;
}

/** How a harness is set up and started. `open` starts it where nothing of ours is there. */
interface Harness {
  setUp(person: Person, model: Model): Promise<void>;
  start(person: Person, model: Model): Promise<Session>;
  open(person: Person, model: Model): Promise<Session>;
  shows(words: string): RegExp;
  /** Its settings folder, below the home folder. */
  readonly folder: string;
}

const harnesses = {
  "@anthropic-ai/claude-code": {
    setUp: (person) => setUpClaudeCode(person, { allowsOurs: true }),
    start: (person, model) => startClaudeCode(person, model),
    open: (person, model) => openClaudeCode(person, model),
    shows: (words) => new RegExp(`● ${words}`),
    folder: ".claude",
  },
  "@openai/codex": {
    setUp: (person, model) => setUpCodex(person, model),
    start: (person, model) => startCodex(person, model),
    open: (person, model) => startCodex(person, model),
    shows: (words) => new RegExp(`• ${words}`),
    folder: ".codex",
  },
  "opencode-ai": {
    setUp: (person, model) => setUpOpencode(person, model),
    start: (person, model) => startOpencode(person, model),
    open: (person, model) => startOpencode(person, model),
    shows: said,
    folder: ".config/opencode",
  },
} as const satisfies Record<string, Harness>;

/** The settings below a folder that name our program, without what a harness keeps of its sessions. */
function namingUs(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((one) => one.isFile() && /\.(json|jsonc|toml|js|ts|md|rules)$/.test(one.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !/(^|\/)(node_modules|projects|sessions|todos|tmp|backups)\//.test(path))
    .filter((path) => readFileSync(join(folder, path), "utf8").includes(service))
    .toSorted();
}

/** Answers every message of the other agent. */
function answerAll(text: string): string | null {
  const other = /<service-message [^>]*from="@?(writer|scout)"/.exec(text)?.[1];
  if (other === undefined) return null;
  const own = other === "writer" ? "scout" : "writer";
  return `[[shell: ${service} say "Thanks." --as ${own} --to @${other}]] [[say: sent]]`;
}

describe.each(Object.keys(harnesses) as (keyof typeof harnesses)[])("%s", (name) => {
  const proves = provesFor(name);
  const { setUp, start, open, shows, folder }: Harness = harnesses[name];

  /** A person whose harness is set up, with a board, and a session that has no seat yet. */
  async function withoutSeat(otherwise?: Parameters<typeof startModel>[0]) {
    const [person, model] = [newPerson(), startModel(otherwise)];
    const writer = await person.pair("lab", "writer");
    await setUp(person, model);
    const session = await start(person, model);
    /** Lets the model run a command of ours in its shell tool. */
    const run = async (words: string, done: string) => {
      await session.prompt(`[[shell: ${service} ${words}]] [[say: ${done}]]`);
      await session.terminal.showing(shows(done));
    };
    return { person, model, writer, session, run };
  }

  proves("pairs", "a session makes a board, joins another, and is woken for both", async () => {
    const { person, model, run } = await withoutSeat();
    const { code } = await person.client().call("createJoinCode", {
      params: { board: "lab" },
      body: { role: "member" },
    });
    await run("pair --board crew --name painter", "paired");
    await run(`join ${code} --name helper`, "joined");
    const seats = await eventually(
      async () => (await person.daemon())?.bindings.filter((one) => one.open) ?? [],
      (bindings) => bindings.length === 2,
      "two seats of the session",
    );
    expect(new Set(seats.map(({ session }) => session)).size).toBe(1);
    expect(seats.map(({ agent }) => agent.name).toSorted()).toEqual(["helper", "painter"]);
    const { members } = await person.client().call("listMembers", { params: { board: "crew" } });
    expect(members.map((one) => one.name).toSorted()).toEqual(["ana", "painter"]);
    const after = model.requests.length;
    await person.post("crew", { body: "For the painter. [[say: read]]", to: ["@painter"] });
    await model.asked(/For the painter\./, { after });
    await person.post("lab", { body: "For the helper. [[say: read]]", to: ["@helper"] });
    await model.asked(/For the helper\./, { after });
  });

  proves("moved", "a session whose shell went to another folder still wakes", async () => {
    const { person, model, writer, session } = await withoutSeat();
    await session.resume(writer);
    person.write("work/sub/file", "");
    await session.prompt("[[shell: cd sub && pwd]] [[say: there]]");
    await session.terminal.showing(shows("there"));
    await person.idle(writer);
    const after = model.requests.length;
    const seq = await person.post("lab", { body: "Still there? [[say: yes]]", to: ["@writer"] });
    await model.asked(/Still there\?/, { after });
    await eventually(writer.position, (position) => position >= seq, "the read position");
  });

  proves(
    "loop",
    "two sessions that answer everything stop by the server's rule, and the person sees why",
    async () => {
      const { person, model, writer, session } = await withoutSeat(answerAll);
      const scout = await person.join("lab", "scout");
      await session.resume(writer);
      await (await start(person, model)).resume(scout);
      await person.idle(scout);
      await person.clientOf(scout).call("postMessage", {
        params: { board: "lab" },
        body: { body: "Thanks.", to: ["@writer"] },
      });
      const { items } = await eventually(
        () => person.client().call("getAttention"),
        (attention) => attention.items.some(({ kind }) => kind === "agents_in_loop"),
        "the loop in what needs the person",
        150_000,
      );
      expect(JSON.stringify(items)).toContain("scout");
      await person.idle(writer);
      await person.idle(scout);
      const { messages } = await person.client().call("listMessages", { params: { board: "lab" } });
      expect(messages.length).toBeGreaterThanOrEqual(20);
      expect(messages.length).toBeLessThan(25);
      expect(messages.at(-1)!.damped).toHaveLength(1);
    },
    180_000,
  );

  proves(
    "removed",
    "uninstalled, nothing is left, and an open session starts nothing",
    async () => {
      const { person, model, session, run } = await withoutSeat();
      const settings = join(person.home, folder);
      expect(namingUs(settings)).not.toEqual([]);
      await run("resume writer --board lab", "bound");
      await person.service(["uninstall", "--yes"]);
      expect(namingUs(settings)).toEqual([]);
      for (const ours of ["skills/service", "rules/service.rules", "plugins/service.js"])
        expect([ours, existsSync(join(settings, ours))]).toEqual([ours, false]);
      await session.prompt("go on [[shell: true]] [[say: gone on]]");
      await session.terminal.showing(shows("gone on"));
      expect(await person.daemon()).toBeNull();
      await session.terminal.kill("SIGKILL");
      const plain = await open(person, model);
      await plain.prompt("[[shell: echo env=$SERVICE_SESSION$SERVICE_BOOT.]] [[say: plain]]");
      await plain.terminal.showing(shows("plain"));
      expect(model.requests.at(-1)!.newest).toContain("env=.");
      expect(await person.daemon()).toBeNull();
    },
  );
});
