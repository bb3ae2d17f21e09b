import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const team = ["serve", "--public-url", "https://board.example.org", "--listen", "127.0.0.1:0"];

test.each([
  ["a folder that is no absolute path", [...team, "--downloads", "programs"], "absolute path", {}],
  ["such a folder by its variable", team, "absolute path", { SERVICE_DOWNLOADS: "programs" }],
  ["a local server", ["serve", "--downloads", "/srv/programs"], "for a team's server", {}],
])("programs are not offered for download from %s", async (_, words, said, env) => {
  const { code, stderr } = await newMachine().run(words, { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});
