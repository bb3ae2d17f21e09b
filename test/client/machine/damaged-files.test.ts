import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();

const saved = (change: object) => [
  {
    url: "https://127.0.0.1:9",
    server_id: "srv_1",
    handle: "ada",
    person_id: "per_1",
    key: "abh_x",
    ...change,
  },
];
const seat = (change: object) =>
  JSON.stringify([
    {
      server: "local",
      board: "docs",
      name: "a",
      member_id: "mem_1",
      token: "aba_x",
      ...change,
    },
  ]);

test.each([
  ["config/credentials.json", '{"x":{}}', ["say", "x", "--as", "a"]],
  ["config/credentials.json", '[{"name":"a"}]', ["status"]],
  ["config/credentials.json", "[", ["status"]],
  ["config/servers.json", '{"default":5,"servers":[{}]}', ["servers"]],
  ["config/servers.json", '{"default":null,"servers":[{}]}', ["boards"]],
  ["config/servers.json", "null", ["servers"]],
  ...[{ url: "nonsense" }, { url: "https://127.0.0.1:9/path" }, { url: "" }, { key: "a\nb" }].map(
    (change): [string, string, string[]] => [
      "config/servers.json",
      JSON.stringify({ default: null, servers: saved(change) }),
      ["servers"],
    ],
  ),
  ["config/owner-token", '{"key":"abh_x"}', ["boards"]],
  ["config/owner-token", "", ["boards"]],
  ["config/owner-token", "abh_x\nabh_y", ["whoami"]],
  ["config/credentials.json", seat({ server: "nonsense" }), ["inbox", "--as", "a"]],
  ["config/credentials.json", seat({ token: "a\nb" }), ["inbox", "--as", "a"]],
  ["state/audit-heads.json", '{"local brd_1":{}}', ["audit", "verify", "--board", "kept"]],
  ["state/audit-heads.json", '{"a":{"hash":"x"}}', ["audit", "verify", "--board", "kept"]],
])("%s that holds %s is named as damaged", async (name, content, words) => {
  const file = join(machine.home, name);
  if (name.startsWith("state")) await machine.run(["board", "new", "kept"]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const { code, stderr } = await machine.run(words);
  rmSync(file);
  expect(stderr).toContain(`Error (internal): ${file} is damaged`);
  expect([code, stderr]).toEqual([1, expect.stringContaining("\nHint: ")]);
});

test("a damaged file of keys under way is kept aside and named, and stops no connecting", async () => {
  const newcomer = newMachine("Lin");
  const config = join(newcomer.home, "config");
  const file = join(config, "connecting.json");
  mkdirSync(config, { recursive: true });
  writeFileSync(file, '{"x": "abh_');
  const { link } = await machine.json(["invite", "--person"]);
  const { stderr } = await newcomer.ok(["connect", link]);
  const aside = readdirSync(config).filter((name) => name.startsWith("connecting.json.damaged-"));
  const kept = aside.map((name) => readFileSync(join(config, name), "utf8"));
  expect([kept, readFileSync(file, "utf8")]).toEqual([['{"x": "abh_'], "{}\n"]);
  expect(stderr).toContain(`connecting.json was damaged, and is now ${join(config, aside[0]!)}.`);
});

test("a saved default that is no server here is named", async () => {
  const file = join(machine.home, "config/servers.json");
  const content = { default: "https://gone.example.org", servers: saved({}) };
  writeFileSync(file, JSON.stringify(content));
  const { code, stderr } = await machine.run(["status"]);
  rmSync(file);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      "The saved default is https://gone.example.org, and this machine has no key for that server.",
    ),
  ]);
  expect(stderr).toContain("servers use URL`");
});

test.skipIf(process.platform !== "linux").each([
  ["nothing can be kept", "/proc/home", "Nothing can be kept in /proc/home/"],
  ["nothing can be read", "/dev/null/home", "/dev/null/home/config/servers.json cannot be read"],
])("a home in which %s is named, with SERVICE_HOME", async (_, SERVICE_HOME, said) => {
  for (const words of [["boards"], ["pair"]]) {
    const env = { SERVICE_HOME, SERVICE_LOCAL_ADDR: "127.0.0.1:9" };
    const { code, stderr } = await machine.run(words, { env });
    expect(stderr).toStartWith(`Error (internal): ${said}`);
    expect([code, stderr]).toEqual([1, expect.stringContaining("set SERVICE_HOME")]);
  }
});
