import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a newcomer types, on a clean clone, with a home and a PATH that hold nothing but what they were told to have. */
const folder = mkdtempSync(join(tmpdir(), "service-fresh-"));
const clone = join(folder, "clone");
/** How long a busy machine may take to clone the project and to remove what was installed, in milliseconds. */
const slowly = 120_000;

beforeAll(() => {
  const { exitCode, stderr } = Bun.spawnSync(["git", "clone", "--quiet", ".", clone]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}, slowly);
afterAll(() => rmSync(folder, { recursive: true, force: true }), slowly);

/** A folder for PATH with just these programs in it. */
function pathWith(name: string, programs: readonly string[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const program of programs) symlinkSync(Bun.which(program)!, join(path, program));
  return path;
}

/** The environment of a newcomer: where their registry is, and nothing else of this one. */
const newcomer = (path: string, home: string) => ({
  PATH: `${path}:/usr/bin:/bin`,
  HOME: folder,
  SERVICE_HOME: join(folder, home),
  ...(process.env["npm_config_registry"] && {
    npm_config_registry: process.env["npm_config_registry"],
  }),
});

const uninstalled = () => rmSync(join(clone, "node_modules"), { recursive: true, force: true });

/** A folder for PATH with Bun in it and nothing else. */
function bunAlone(): string {
  const path = join(folder, "bun-path");
  mkdirSync(path, { recursive: true });
  rmSync(join(path, "bun"), { force: true });
  symlinkSync(process.execPath, join(path, "bun"));
  return path;
}

async function startsAndStops(command: string[], path: string, home: string): Promise<string> {
  const serving = Bun.spawn(command, {
    cwd: clone,
    env: newcomer(path, home),
    stdout: "pipe",
    stderr: "inherit",
    detached: true,
  });
  let printed = "";
  for await (const chunk of serving.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (!url || !/pair/.test(printed)) continue;
    const page = await fetch(`${url}/start`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("service boards");
    // Control and C in a terminal: every process of the command gets it.
    process.kill(-serving.pid, "SIGINT");
  }
  await serving.exited;
  return printed;
}

test("npm start serves on a machine that has Node.js and npm", async () => {
  const printed = await startsAndStops(
    ["npm", "start", "--silent"],
    pathWith("npm-path", ["node", "npm", "npx"]),
    "npm-home",
  );
  expect(printed).toContain(join(folder, "npm-home", "data"));
  expect(printed).toContain("npm run -s service -- pair");
}, 120_000);

test("bun start serves on a machine that has Bun", async () => {
  uninstalled();
  const path = bunAlone();
  const printed = await startsAndStops(["bun", "start"], path, "bun-home");
  expect(printed).toContain(join(folder, "bun-home", "data"));
}, 120_000);

test.each([
  ["npm", () => pathWith("npm-build-path", ["node", "npm", "npx"])],
  ["bun", bunAlone],
] as const)(
  "%s run build makes the program where nothing is installed",
  (program, pathOf) => {
    uninstalled();
    const options = { cwd: clone, env: newcomer(pathOf(), "build-home") };
    const built = Bun.spawnSync([program, "run", "build", "--", "--outfile", "dist/made"], options);
    expect([built.exitCode, built.stderr.toString()]).toEqual([0, expect.any(String)]);
    const { stdout } = Bun.spawnSync([join(clone, "dist/made"), "version"], options);
    expect(stdout.toString()).toStartWith("service ");
    // Nothing is left that a commit could take along.
    const status = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: clone });
    expect(status.stdout.toString()).toBe("");
  },
  120_000,
);
