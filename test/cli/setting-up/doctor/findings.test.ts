import { expect, test } from "bun:test";
import { appendFileSync, chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { checkDaemon } from "../../../../src/cli/setting-up/doctor/check-daemon.ts";
import { checkOwnFiles } from "../../../../src/cli/setting-up/doctor/check-own-files.ts";
import type { Check, FindingCode } from "../../../../src/cli/setting-up/doctor/check.ts";
import { disabledHooks } from "../../../../src/cli/setting-up/doctor/claude-settings.ts";
import { fileState } from "../../../../src/cli/setting-up/settings-files/file-state.ts";
import { emptyManifest } from "../../../../src/cli/setting-up/entries/manifest.ts";
import type { Cli } from "../../../../src/cli/frame/cli.ts";
import { opencodeProfile } from "../../../../src/client/harnesses/opencode.ts";
import { builtInFile } from "../../../../src/client/harnesses/built-in-files.ts";
import type { DaemonAgent, DaemonStatus } from "../../../../src/client/machine/daemon-wire.ts";
import { provenText } from "../../../../src/contract/server-proof.ts";
import type { Ran } from "../../../support/commands/machine.ts";
import {
  machineWith,
  type HarnessMachine,
} from "../../../support/commands/harnesses-on-machine.ts";
import { withPlayedDaemon } from "../../../support/daemon/played-daemon.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** What no harness has as its profile is: Claude Code and Codex have hooks, opencode an extension, and Codex alone needs its rule. */
type NoHarnessHas =
  | `opencode_hooks_${"missing" | "unsupported"}`
  | `${"claude" | "codex"}_extension_missing`
  | `${"claude" | "opencode"}_service_not_allowed`;

/** How bad a finding is, and a machine that has it. */
type Case = readonly ["warning" | "error", () => Promise<Found>];

/** What doctor finds, and the same machine for what it advises. */
interface Found {
  readonly checks: readonly Check[];
  readonly run?: (words: readonly string[]) => Promise<Ran>;
}

const claude = { claude: "2.1.330" };
const none = '{"installs":[],"restores":[],"folders":[]}';
const settings = ".claude/settings.json";
const skill = ".claude/skills/service/SKILL.md";
const opencodeTools = ".config/opencode/opencode.json";

async function doctor(machine: HarnessMachine, options: object = {}): Promise<Found> {
  const run = (words: readonly string[]) => machine.run(words, options);
  const { checks } = (await run(["doctor", "--json"])).json();
  return { checks, run };
}

/** What doctor finds on a machine with these programs, before `init`. */
const fresh = async (programs: Record<string, string>) => doctor(machineWith(programs));

/** What doctor finds after `init` and then this change. */
async function after(
  change: (machine: HarnessMachine) => unknown,
  programs: Record<string, string> = claude,
  words: readonly string[] = [],
): Promise<Found> {
  const machine = machineWith(programs);
  if (programs["codex"]) machine.installCodex(programs["codex"]);
  await machine.ok(["init", "--yes", ...words]);
  await change(machine);
  return doctor(machine);
}

/** What doctor finds with tools of ours in opencode after this change of their file. */
const withTools = (change: (text: string) => string, env: Record<string, string> = {}) =>
  after(
    async (machine) => {
      await machine.ok(["init", "--mcp", "--yes"], { env });
      machine.write(opencodeTools, change(machine.read(opencodeTools)));
    },
    { opencode: "1.18.33" },
  );

/** What doctor finds where only the settings folder of a harness is. */
async function withoutProgram(folder: string): Promise<Found> {
  const machine = machineWith();
  mkdirSync(join(machine.home, folder), { recursive: true });
  return doctor(machine);
}

/** What doctor finds where an agent has its seat on a server that says this of itself. */
async function withServer(version: string): Promise<Found> {
  const machine = await withAgent();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ name: "service", version }),
  });
  const [seat] = JSON.parse(machine.read("config/credentials.json"));
  const elsewhere = { ...seat, server: server.url.origin, member_id: "mem_x" };
  machine.write("config/credentials.json", JSON.stringify([seat, elsewhere]));
  return await doctor(machine);
}

/** What doctor finds where the local server is of an older build that can prove that it is this home's. */
async function withOlderServer(): Promise<Found> {
  const machine = machineWith(claude);
  const key = "ab".repeat(32);
  machine.write("data/digest-key", key);
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url }) {
      const { origin, searchParams } = new URL(url);
      const text = provenText("srv_1", origin, searchParams.get("challenge") ?? "");
      const proof = new Bun.CryptoHasher("sha256", Buffer.from(key, "hex")).update(text);
      const info = { name: "service", version: "0.0.1", server_id: "srv_1" };
      return Response.json({ ...info, proof: proof.digest("hex") });
    },
  });
  return await doctor(machine, { env: { SERVICE_LOCAL_ADDR: server.url.host } });
}

/** A machine with one agent, ada on docs. */
async function withAgent(): Promise<HarnessMachine> {
  const machine = machineWith(claude);
  await machine.ok(["pair", "--board", "docs", "--name", "ada"]);
  return machine;
}

/** What doctor finds where the daemon says this of ada. */
async function withDaemon(status: (ada: DaemonAgent) => Partial<DaemonStatus>): Promise<Found> {
  const machine = await withAgent();
  const [{ token: _, ...ada }] = JSON.parse(machine.read("config/credentials.json"));
  return withPlayedDaemon(machine.home, status(ada), () => doctor(machine));
}

const stopped = (reason: string): Case => [
  "error",
  () => withDaemon((agent) => ({ agents: [{ agent, reason }] })),
];

const givenUp = (reason: string): Case => [
  "error",
  () => withDaemon((agent) => ({ attention: [{ agent, seqs: [4], reason }] })),
];

/** What is found of opencode's extension with this at its end: a checkout writes none. */
async function withExtension(
  end: string,
  written: string | null,
  scopes: readonly string[] = ["global"],
): Promise<Found> {
  const program = { words: ["/opt/service"], text: "", hookStart: "", home: undefined };
  const folder = temporaryFolder();
  const path = join(folder, "global.js");
  const found = `${builtInFile("opencode-plugin.js", { program: "/old/service" })}${end}`;
  for (const scope of scopes) await Bun.write(join(folder, `${scope}.js`), found);
  const sha256 = written && new Bun.CryptoHasher("sha256").update(written).digest("hex");
  const record = { path, harness: "opencode", scope: "global", kind: "file", version: "0.1.0" };
  const installs = sha256 === null ? [] : [{ ...record, sha256 } as const];
  const checks = checkOwnFiles(
    {
      program,
      build: "0.1.0",
      versions: {},
      file: fileState,
      manifest: { ...emptyManifest, installs: installs as typeof emptyManifest.installs },
      place: (_, { kind }, scope) => (kind === "file" ? join(folder, `${scope}.js`) : null),
    },
    opencodeProfile,
  );
  return { checks };
}

const cases: Readonly<Record<Exclude<FindingCode, NoHarnessHas>, Case>> = {
  // The programs of harnesses.
  no_harness_found: ["warning", () => fresh({})],
  claude_code_not_installed: ["warning", () => withoutProgram(".claude")],
  codex_not_installed: ["warning", () => withoutProgram(".codex")],
  opencode_not_installed: ["warning", () => withoutProgram(".config/opencode")],
  claude_version_unknown: ["warning", () => fresh({ claude: "unknown" })],
  codex_version_unknown: ["warning", () => fresh({ codex: "unknown" })],
  opencode_version_unknown: ["warning", () => fresh({ opencode: "unknown" })],
  claude_too_old: ["warning", () => fresh({ claude: "1.0.0" })],
  codex_too_old: ["warning", () => fresh({ codex: "0.1.0" })],
  opencode_too_old: ["warning", () => fresh({ opencode: "0.1.0" })],

  // What `init` writes.
  claude_hooks_missing: ["error", () => fresh(claude)],
  codex_hooks_missing: ["warning", () => fresh({ codex: "0.169.0" })],
  skill_missing: ["warning", () => fresh(claude)],
  opencode_extension_missing: ["error", () => fresh({ opencode: "1.18.33" })],
  claude_hooks_unsupported: ["warning", () => after(() => {}, { claude: "2.1.60" })],
  codex_hooks_unsupported: ["warning", () => after(() => {}, { codex: "0.115.0" })],
  codex_service_not_allowed: ["warning", () => after(() => {}, { codex: "0.169.0" })],
  settings_broken: ["error", () => after((machine) => machine.write(settings, "{"))],
  settings_foreign: [
    "error",
    async () => {
      const machine = machineWith(claude);
      machine.write(skill, "My own skill.\n");
      expect(await machine.refusal(["init", "--yes"])).toBe("settings_foreign");
      return doctor(machine);
    },
  ],
  hooks_edited: [
    "warning",
    () =>
      after((machine) =>
        machine.write(settings, machine.read(settings).replace('"timeout": 60', '"timeout": 61')),
      ),
  ],
  hooks_outdated: ["warning", () => after((machine) => machine.install("claude", "2.1.100"))],
  hooks_in_both_scopes: [
    "warning",
    async () => {
      const machine = machineWith(claude);
      const cwd = join(machine.home, "work");
      mkdirSync(cwd);
      for (const scope of ["global", "project"])
        await machine.ok(["init", "--yes", "--scope", scope], { cwd });
      return doctor(machine, { cwd });
    },
  ],
  hooks_foreign: [
    "error",
    async () => {
      const machine = machineWith(claude);
      await machine.ok(["init", "--yes"]);
      const cwd = join(machine.home, "work");
      mkdirSync(cwd);
      symlinkSync("../.claude", join(cwd, ".claude"));
      machine.write(".claude/settings.local.json", machine.read(settings));
      return doctor(machine, { cwd });
    },
  ],
  skill_edited: [
    "warning",
    () => after(({ home }) => appendFileSync(join(home, skill), "Mine.\n")),
  ],
  skill_outdated: [
    "warning",
    () =>
      after((machine) => {
        machine.write("state/installs.json", none);
        appendFileSync(join(machine.home, skill), "Older.\n");
      }),
  ],
  extension_edited: ["warning", () => withExtension("// mine", "as it was written")],
  extension_outdated: ["warning", () => withExtension("// older", null)],
  extension_in_both_scopes: ["warning", () => withExtension("", null, ["global", "project"])],
  tools_missing: ["warning", () => withTools(() => "{}")],
  tools_edited: ["warning", () => withTools((text) => text.replace('"mcp"\n', '"mcp", "--as"\n'))],
  tools_outdated: [
    "warning",
    () =>
      after(
        async (machine) => {
          await machine.ok(["init", "--mcp", "--yes"], {
            env: { SERVICE_HOME: `${machine.home}/x` },
          });
          machine.write("state/installs.json", machine.read("x/state/installs.json"));
        },
        { opencode: "1.18.33" },
      ),
  ],
  tools_silent: [
    "warning",
    async () => {
      const machine = machineWith({ opencode: "1.18.33" });
      await machine.ok(["init", "--mcp", "--yes"]);
      // Its process reads these settings too, and ends.
      return doctor(machine, { env: { BUN_OPTIONS: "--preload=/nowhere" } });
    },
  ],

  // What the harnesses say.
  claude_hooks_disabled: [
    "error",
    () =>
      after((machine) =>
        machine.write(settings, machine.read(settings).replace("{", '{"disableAllHooks": true,')),
      ),
  ],
  claude_settings_unreadable: [
    "warning",
    async () => {
      const { home, env, write } = machineWith();
      const system = { homeFolder: () => home } as Cli["system"];
      return { checks: disabledHooks({ env, cwd: home, system }, [write("managed.json", "{")]) };
    },
  ],
  codex_queue_missing: [
    "error",
    () => after((machine) => machine.install("codex", "0.169.0", "exit 1"), { codex: "0.169.0" }),
  ],
  codex_trust_unknown: [
    "warning",
    () => after((machine) => machine.install("codex", "0.169.0", "exit 1"), { codex: "0.169.0" }),
  ],
  codex_hooks_untrusted: ["warning", () => after(() => {}, { codex: "0.169.0" })],
  codex_hooks_warning: [
    "warning",
    () => after((machine) => machine.listCodexHooks("trusted", ["Oh."]), { codex: "0.169.0" }),
  ],

  // Servers.
  server_outdated: ["warning", withOlderServer],
  server_unreachable: stopped("server_unreachable"),
  login_missing: ["error", () => withServer("0.1.0")],
  version_skew: ["warning", () => withServer("9.0.0")],
  version_unknown: ["warning", () => withServer("next")],
  sandbox_blocks_network: [
    "error",
    () => doctor(machineWith(), { env: { CODEX_SANDBOX_NETWORK_DISABLED: "1", NO_SOCKETS: "1" } }),
  ],

  // The daemon.
  daemon_not_running: [
    "error",
    async () => {
      const machine = machineWith();
      const failed = "Error (data_newer): The journal is of a newer build.\nHint: Upgrade.\n";
      mkdirSync(join(machine.home, "state"), { mode: 0o700 });
      machine.write("state/daemon.log", `The delivery daemon runs. Stop with Ctrl-C.\n${failed}`);
      return doctor(machine);
    },
  ],
  daemon_in_sandbox: ["error", () => doctor(machineWith(), { env: { SANDBOX_RUNTIME: "1" } })],
  daemon_outdated: ["warning", () => withDaemon(() => ({ build: { version: "0.0.1" } }))],
  socket_unsafe: ["error", () => after(({ home }) => chmodSync(join(home, "state"), 0o755))],
  peer_check_unavailable: [
    "error",
    async () => ({
      checks: await checkDaemon({ folders: {}, system: { userId: undefined } } as Cli),
    }),
  ],
  board_gone: stopped("board_gone"),
  handoff_failed: stopped("handoff_failed"),
  delivery_attention: stopped("unauthorized"),
  codex_target_absent: givenUp("codex_target_absent"),
  codex_subagent_target: givenUp("codex_subagent_target"),
  delivery_stalled: [
    "warning",
    () => withDaemon((agent) => ({ stalled: [{ agent, seqs: [4], reason: "no_turn_started" }] })),
  ],
  delivery_mode_kept_here: ["warning", () => after(() => {}, claude, ["--delivery", "humans"])],
  delivery_mode_unconfirmed: [
    "warning",
    () =>
      withDaemon((agent) => ({
        servers: [{ url: agent.server, connected: false }],
        bindings: [{ agent, session: "codex:1", open: true, turned: true, mode: "humans" }],
      })),
  ],
};

const helper = machineWith();
const { commands } = await helper.json(["help"]);
const names: string[] = commands.map(({ name }: { name: string }) => name);

/** The commands of this program in a text, without the program. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/`(?:[^`]*(?:main\.ts|service --)|service) ([^`]+)`/g)].map(
    ([, line]) => line!,
  );

/** Expects that each command in a text is one of this program, with flags that it has. */
async function expectCommands(text: string): Promise<void> {
  for (const line of commandsIn(text)) {
    const [name = line] = names
      .filter((one) => `${line} `.startsWith(`${one} `))
      .sort((one, other) => other.length - one.length);
    const { flags } = (await helper.json(["help", ...name.split(" ")])).commands[0];
    const known = flags.map((flag: { name: string }) => flag.name);
    expect(known).toEqual(expect.arrayContaining(line.match(/--[a-z-]+/g) ?? []));
  }
}

test.each(Object.entries(cases))(
  "doctor finds %s, and says what to do",
  async (code, [level, found]) => {
    const { checks, run } = await found();
    const check = checks.find((one) => one.code === code);
    expect([check?.level, checks.map((one) => one.code)]).toEqual([level, expect.anything()]);
    expect(check!.fix).toMatch(/\w.*\w/);
    expect(`${check!.message} ${check!.fix}`).not.toMatch(/undefined|null|\[object/);
    await expectCommands(check!.fix!);
    const [command] = commandsIn(check!.fix!);
    // Where the command comes after what the person does first, it alone mends nothing.
    if (!run || !command?.startsWith("init --yes") || !check!.fix!.startsWith("`")) return;
    expect(await run(command.split(" "))).toMatchObject({ code: 0 });
    const { checks: then } = (await run(["doctor", "--json"])).json();
    expect(then.map((one: Check) => one.code)).not.toContain(code);
  },
);

test("a daemon that cannot answer is stopped by the fix of its finding", async () => {
  const machine = await withAgent();
  const error = {
    code: "daemon_protocol_mismatch",
    message: "Another protocol.",
    hint: "Stop it.",
  };
  const { checks } = await withPlayedDaemon(machine.home, { error }, () => doctor(machine));
  expect(checks).toContainEqual(
    expect.objectContaining({ code: "daemon_outdated", fix: expect.stringContaining("down") }),
  );
});

test("an agent with a mode of a newer server is named, with what brings its messages again", async () => {
  const { checks } = await withDaemon((agent) => ({
    agents: [{ agent, reason: "delivery_mode_unknown" }],
  }));
  expect(checks).toContainEqual(
    expect.objectContaining({
      code: "delivery_attention",
      message: expect.stringContaining("gets nothing: delivery_mode_unknown."),
      fix: expect.stringMatching(/Upgrade this one, or .*delivery focused --as /),
    }),
  );
});
