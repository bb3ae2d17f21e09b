import { afterAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newMachine } from "./program.ts";

const machine = newMachine();
afterAll(() => machine.end());

test.each([
  ["config/credentials.json", '{"x":{}}', ["say", "x", "--as", "a"]],
  ["config/credentials.json", '[{"name":"a"}]', ["status"]],
  ["config/credentials.json", "[", ["status"]],
  ["config/servers.json", '{"default":5,"servers":[{}]}', ["servers"]],
  ["config/servers.json", '{"default":null,"servers":[{}]}', ["boards"]],
  ["config/servers.json", "null", ["servers"]],
  ["state/audit-heads.json", '{"local brd_1":{}}', ["audit", "verify", "--board", "kept"]],
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
