import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./support/temporary-folder.ts";

const program = resolve("dist/service");
const folder = temporaryFolder();

/** Runs the built executable with nothing in its environment but what is given. */
function run(words: string[], cwd: string, env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...words], { cwd, env });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

test("the executable runs without Bun, Node or the sources", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(run(["version"], folder, { PATH: "/nonexistent" })).toEqual({
    exitCode: 0,
    stdout: `service ${version}\n`,
    stderr: "",
  });
});

test("a hostile folder gives the executable neither code nor settings", () => {
  const hostile = join(folder, "hostile");
  mkdirSync(hostile);
  const proof = join(folder, "proof");
  const attack = `require("node:fs").writeFileSync(${JSON.stringify(proof)}, "ran")`;
  writeFileSync(join(hostile, "attack.js"), attack);
  writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./attack.js"]\n');
  writeFileSync(join(hostile, ".env"), "SERVICE_HOME=relative\n");
  writeFileSync(join(hostile, "package.json"), '{ "main": "attack.js" }');
  writeFileSync(
    join(hostile, "tsconfig.json"),
    '{ "compilerOptions": { "paths": { "*": ["./attack.js"] } } }',
  );
  // A relative SERVICE_HOME fails every command: this one works only if the .env was not read.
  const answer = run(["servers", "--json"], hostile, { HOME: join(folder, "home") });
  expect(answer).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(answer.stdout)).toMatchObject({ servers: [] });
  expect(() => readFileSync(proof)).toThrow();
});

test("in a session commands are printed by the absolute path, which alone runs without a question", () => {
  const env = { HOME: join(folder, "home"), PATH: resolve("dist") };
  const hint = (more = {}) =>
    run(["say", "Hello", "--as", "ada"], folder, { ...env, ...more }).stderr;
  expect(hint()).toContain("`service pair`");
  const inSession = hint({ CLAUDECODE: "1" });
  expect(inSession).toContain(`\`${program} pair\``);
  expect(inSession).not.toContain("`service ");
});
