import { describe, expect, test } from "bun:test";
import { everyCommand } from "../../../src/cli/commands.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { profiles } from "../../../src/client/harnesses/index.ts";

const { run, json } = newMachine();
const [mark = ""] = profiles.flatMap(({ marks }) => marks.session);
const inSession = { env: { [mark]: "1" } };
const namesIn = ({ commands: all }: { commands: { name: string }[] }) =>
  all.map(({ name }) => name);

describe("help without a command", () => {
  test("is an index as JSON, short enough for a model to read", async () => {
    const { stdout, json: read } = await run(["help", "--json"]);
    expect(stdout.length).toBeLessThanOrEqual(10_000);
    const index = read();
    expect(namesIn(index)).toEqual(everyCommand().map(({ name }) => name));
    expect(index.commands[0]).toEqual({
      name: "pair",
      group: "Get started",
      summary: expect.any(String),
    });
    expect(index.topics).toEqual(["environment", "exit-codes"]);
  });

  test("in a session leaves out what only a person runs", async () => {
    const shown = namesIn(await json(["help"], inSession));
    expect(shown).toEqual(
      expect.arrayContaining(["say", "inbox", "task done", "read", "delivery"]),
    );
    for (const name of ["keys revoke", "people", "invite", "watch", "board delete", "login"])
      expect(shown).not.toContain(name);
    const { stdout } = await run(["help"], inSession);
    const left = everyCommand().length - shown.length;
    expect(stdout).toContain(`Your person runs ${left} more in a terminal.`);
    expect(stdout).not.toContain("keys revoke");
    expect((await run(["help"])).stdout).toContain("keys revoke");
  });

  test("in a session still explains any command that is named", async () => {
    expect((await run(["help", "keys", "revoke"], inSession)).stdout).toStartWith("keys revoke: ");
  });
});

describe("help about a topic", () => {
  test("lists every variable that the program reads as its own", async () => {
    const sources = new Bun.Glob("src/**/*.ts");
    const read = new Set<string>();
    for await (const path of sources.scan(`${import.meta.dir}/../../..`))
      for (const [name] of (await Bun.file(`${import.meta.dir}/../../../${path}`).text()).matchAll(
        /(?<=["`\s(])SERVICE_[A-Z_]+(?=["`\s),:.])/g,
      ))
        // The build puts the commit and the page into the program: nobody sets them.
        if (!/^SERVICE_(COMMIT|PAGE)/.test(name)) read.add(name);
    expect(read.size).toBeGreaterThan(10);
    const { stdout } = await run(["help", "environment"]);
    expect([...read].filter((name) => !stdout.includes(name))).toEqual([]);
    const { topic, entries } = await json(["help", "environment"]);
    expect(topic).toBe("environment");
    expect(entries.map(({ name }: { name: string }) => name)).toContain("SERVICE_HOME");
  });

  test("says what the exit codes mean", async () => {
    const { entries } = await json(["help", "exit-codes"]);
    expect(entries.map(({ name }: { name: string }) => name)).toEqual(["0", "1", "2", "3"]);
    expect((await run(["help", "exit-codes"])).stdout).toContain("Not understood");
  });

  test("is named where help knows no command", async () => {
    const { stderr, code } = await run(["help", "settings"]);
    expect([stderr, code]).toEqual([expect.stringContaining("`environment`"), 2]);
  });
});
