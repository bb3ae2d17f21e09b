import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a newcomer types, on a clean clone, with a home and a PATH that hold nothing but what they were told to have. */
const folder = mkdtempSync(join(tmpdir(), "service-fresh-"));
const clone = join(folder, "clone");

beforeAll(() => {
  const { exitCode, stderr } = Bun.spawnSync(["git", "clone", "--quiet", ".", clone]);
  if (exitCode !== 0) throw new Error(stderr.toString());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder for PATH with just these programs in it. */
function pathWith(name: string, programs: readonly string[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const program of programs) symlinkSync(Bun.which(program)!, join(path, program));
  return path;
}

async function startsAndStops(command: string[], path: string, home: string): Promise<string> {
  const serving = Bun.spawn(command, {
    cwd: clone,
    env: {
      PATH: `${path}:/usr/bin:/bin`,
      HOME: folder,
      SERVICE_HOME: join(folder, home),
      ...(process.env["npm_config_registry"] && {
        npm_config_registry: process.env["npm_config_registry"],
      }),
    },
    stdout: "pipe",
    stderr: "inherit",
    detached: true,
  });
  let printed = "";
  for await (const chunk of serving.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (!url || !/pair/.test(printed)) continue;
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("/v1/boards");
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
  rmSync(join(clone, "node_modules"), { recursive: true, force: true });
  const path = join(folder, "bun-path");
  mkdirSync(path);
  symlinkSync(process.execPath, join(path, "bun"));
  const printed = await startsAndStops(["bun", "start"], path, "bun-home");
  expect(printed).toContain(join(folder, "bun-home", "data"));
}, 120_000);
