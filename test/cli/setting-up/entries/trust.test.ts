import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  machineWith,
  type HarnessMachine,
} from "../../../support/commands/harnesses-on-machine.ts";
import { atTerminal } from "../../../support/commands/answer-at-terminal.ts";

const written = "bin/codex-settings.jsonl";
const words = ["init", "--harness", "codex", "--trust-hooks"];

function withCodex(): HarnessMachine {
  const machine = machineWith();
  machine.installCodex("0.169.0");
  return machine;
}

test("--trust-hooks trusts our hooks and no others, and shows their commands", async () => {
  const machine = withCodex();
  const theirs = { hooks: [{ type: "command", command: "/tmp/other hook codex stop" }] };
  machine.write(".codex/hooks.json", JSON.stringify({ hooks: { Stop: [theirs] } }));
  const { stdout } = await machine.ok([...words, "--yes"]);
  expect(stdout).toContain("hook codex session-start");
  expect(stdout).toContain("Codex trusts our hooks now.");
  expect(stdout).not.toContain("Start Codex and trust the hooks");
  const [{ edits, reloadUserConfig }] = machine
    .read(written)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const file = join(machine.home, ".codex/hooks.json");
  // Ours is the second group of its event.
  expect(edits).toContainEqual({
    keyPath: `hooks.state.${JSON.stringify(`${file}:Stop:1:0`)}.trusted_hash`,
    value: `hash of ${file}:Stop:1:0`,
    mergeStrategy: "upsert",
  });
  expect(edits).toHaveLength(6);
  expect(reloadUserConfig).toBe(true);
  // A second run has nothing to trust.
  expect((await machine.json([...words, "--yes"])).trusted).toEqual([]);
});

test("plain --yes never trusts, and without --yes nothing is trusted", async () => {
  const machine = withCodex();
  await machine.ok(["init", "--yes"]);
  expect((await machine.json(words)).trusted).toBe(null);
  expect(machine.has(written)).toBe(false);
});

test("in a terminal the person is asked, and a no trusts nothing", async () => {
  const machine = withCodex();
  await machine.ok(["init", "--yes"]);
  const asked = [...words, "--scope", "global", "--allow-commands"];
  const { screen } = await atTerminal(machine, asked, "Write this?", "y\nn");
  expect(screen).toContain("Codex will run these commands outside its sandbox:");
  expect(screen).toContain("The hooks are not trusted");
  expect(machine.has(written)).toBe(false);
  const yes = await atTerminal(machine, asked, "Trust them?", "y");
  expect(yes.screen).toContain("Codex trusts our hooks now.");
  expect(machine.has(written)).toBe(true);
});

test("uninstall takes the trust back", async () => {
  const machine = withCodex();
  await machine.ok([...words, "--yes"]);
  await machine.ok(["uninstall"]);
  const last = JSON.parse(machine.read(written).trim().split("\n").at(-1)!);
  expect(last.edits.map(({ value }: any) => value)).toEqual(Array(6).fill(null));
  await machine.ok(["uninstall"]);
  expect(machine.read(written).trim().split("\n")).toHaveLength(2);
});

test("a Codex that cannot be asked is named, and the hooks stay written", async () => {
  const machine = withCodex();
  machine.install("codex", "0.169.0", "exit 1");
  expect(await machine.refusal([...words, "--yes"])).toBe("harness_unavailable");
  expect(machine.has(".codex/hooks.json")).toBe(true);
});

test("trusting is the person's, and about Codex", async () => {
  const machine = withCodex();
  const refused = await machine.refusal([...words, "--yes"], { env: { CODEX_THREAD_ID: "t" } });
  expect(refused).toBe("human_command_in_session");
  const other = machineWith({ claude: "2.1.330" });
  expect((await other.run(["init", "--yes", "--trust-hooks"])).code).toBe(2);
  expect(other.files()).toEqual({});
});
