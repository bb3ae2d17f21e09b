/**
 * `npm run test:harnesses` installs the harnesses and runs their tests in a network namespace that has nothing but loopback.
 * `npm run test:harnesses -- test/harnesses/codex.test.ts` runs one file.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import programs from "./programs/package.json";
import { factsFile } from "./support/capability-list.ts";
import { isInstalled, programsFolder, type Package } from "./support/programs.ts";

const root = resolve(import.meta.dir, "../..");

function run(command: readonly string[], cwd = root): boolean {
  const env = { ...process.env };
  return Bun.spawnSync([...command], { cwd, env, stdio: ["inherit", "inherit", "inherit"] })
    .success;
}

/** Installs the programs with npm, unless they are there. The scripts that the list allows must run: they fetch the programs. */
function install(): void {
  if (Object.keys(programs.dependencies).every((name) => isInstalled(name as Package))) return;
  mkdirSync(programsFolder, { recursive: true });
  copyFileSync(
    join(import.meta.dir, "programs/package.json"),
    join(programsFolder, "package.json"),
  );
  const quiet = ["--no-package-lock", "--no-audit", "--no-fund"];
  if (!run(["npm", "install", ...quiet], programsFolder))
    console.error("The harnesses could not be installed. Their tests are skipped.");
}

/** Enters the namespace: as root at once, else by a user namespace, where the system allows one. */
function apart(): readonly string[] {
  const flags = process.getuid?.() === 0 ? "-n" : "-rn";
  const enter = ["unshare", flags, "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  const tried = existsSync("/proc/net/dev") && Bun.which("unshare") && Bun.which("ip");
  if (tried && Bun.spawnSync([...enter, "true"]).success) return enter;
  console.error(
    "No network namespace can be made here (unshare, iproute2). The tests are skipped.",
  );
  return [];
}

const { TEST_SEED } = process.env;
const files = process.argv.slice(2);
const results = "dist/test-results";
mkdirSync(join(root, results), { recursive: true });
rmSync(factsFile, { force: true });
install();
const passed = run([
  ...apart(),
  process.execPath,
  "test",
  "--parallel=2",
  `--timeout=${TEST_SEED === undefined ? 90_000 : 3_600_000}`,
  "--reporter=junit",
  `--reporter-outfile=${results}/harnesses.xml`,
  ...(files.length > 0 ? files : ["test/harnesses"]),
]);
process.exit(passed ? 0 : 1);
