import { afterAll, expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok } = machine;
afterAll(() => machine.end());

test("`service api streamInbox` prints what an agent is sent, until its seat ends, and goes on after a position", async () => {
  const { join } = await json(["pair", "writer-reviewer", "--board", "demo"]);
  await ok(["join", join.line, "--name", "rex"]);
  const following = machine.start(["api", "streamInbox", "--as", "writer"]);
  await following.saying('"ready"');
  const { message } = await json(["say", "one", "--as", "rex"]);
  await following.saying('"body":"one"');
  await json(["say", "two", "--as", "rex"]);
  await following.saying('"body":"two"');

  const later = machine.start(["api", "streamInbox", `after=${message.seq}`, "--as", "writer"]);
  await later.saying('"body":"two"');
  await ok(["agent", "remove", "writer", "--yes"]);
  const [whole, rest] = [await following.end(), await later.end()];
  expect([whole.code, rest.code]).toEqual([0, 0]);
  expect(rest.stdout).not.toContain('"body":"one"');
  for (const { stdout } of [whole, rest]) expect(stdout).toContain('"code":"agent_removed"');
});
