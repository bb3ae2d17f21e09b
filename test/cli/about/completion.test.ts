import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, run } = machine;
const bin = join(machine.home, "bin");
const path = `${bin}:${machine.env["PATH"]!}`;

beforeAll(async () => {
  await ok(["pair", "writer-reviewer", "--board", "docs"]);
  await ok(["board", "new", "rooms"]);
  mkdirSync(bin);
  const main = resolve(import.meta.dir, "../../../src/main.ts");
  writeFileSync(join(bin, "service"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(bin, "service"), 0o755);
});

/** What bash offers for the last word, with the program on the PATH and the script read as the help says. */
async function complete(words: string[]): Promise<string> {
  const script = `eval "$(service completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _service; echo "\${COMPREPLY[*]}"`;
  const { stdout } = Bun.spawn(["bash", "-c", script, "bash", "service", ...words], {
    cwd: machine.home,
    env: { ...machine.env, PATH: path },
  });
  return (await new Response(stdout).text()).trim();
}

describe("completion", () => {
  test("names this machine's agents, and the boards that its server lists", async () => {
    expect(await complete(["say", "x", "--as", ""])).toBe("writer");
    expect(await complete(["read", "--board", ""])).toBe("docs rooms");
    expect(await complete(["read", "--board", "ro"])).toBe("rooms");
    expect(await complete(["boards", "--server", "lo"])).toBe("local");
  });

  test("keeps to what this machine knows when its server does not run, and starts none", async () => {
    await ok(["down"]);
    expect(await json(["completion", "names", "board"])).toEqual({
      flag: "board",
      names: ["docs"],
    });
    expect((await ok(["status"])).stdout).toContain("(local, not running)");
  });

  test("names nothing in a session", async () => {
    const { names } = await json(["completion", "names", "board"], { env: { CLAUDECODE: "1" } });
    expect(names).toEqual([]);
  });

  test("refuses what it cannot complete", async () => {
    for (const words of [["names"], ["names", "to"], ["bash", "board"]])
      expect((await run(["completion", ...words])).code).toBe(2);
  });
});

test.skipIf(!Bun.which("zsh"))("zsh reads its script", async () => {
  const { stdout } = await ok(["completion", "zsh"]);
  expect(Bun.spawnSync(["zsh", "-fn", "-c", stdout]).exitCode).toBe(0);
});
