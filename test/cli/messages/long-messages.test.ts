import { beforeAll, expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const { json, ok } = newMachine();
const long = "ä 0123456789 ".repeat(1200);

beforeAll(async () => {
  const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
  await ok(["join", code.line, "--name", "rex"]);
});

test("a long message is cut in an inbox, with the command that shows the whole", async () => {
  const { message } = await json(["say", "--to", "@rex", "--as", "writer"], { stdin: long });
  await ok(["say", "short", "--to", "@rex", "--as", "writer"]);
  const { stdout } = await ok(["inbox", "--peek", "--as", "rex"]);
  expect(Buffer.byteLength(stdout)).toBeLessThan(9_000);
  expect(stdout).toContain('truncated="true"');
  expect(stdout).toMatch(/This is its beginning\. The whole message: .* message \d+ --as rex\n/);
  expect(stdout).toContain(">\nshort\n<");
  const { messages, wrapped } = await json(["inbox", "--as", "rex"]);
  expect(messages[0].body).toBe(long);
  expect(wrapped[0]).toContain('truncated="true"');
  expect(wrapped[1]).not.toContain("truncated");
  const whole = await ok(["message", `${message.seq}`, "--as", "rex"]);
  expect(whole.stdout.match(/0123456789/g)).toHaveLength(1200);
});
