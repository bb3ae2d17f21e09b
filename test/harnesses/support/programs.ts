import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import programs from "../programs/package.json";

const root = resolve(import.meta.dir, "../../..");

/** Where `run.ts` installs the programs: a folder that git ignores. */
export const programsFolder = join(root, "dist/harness-programs");
/** The built program, which the suite tests. */
export const service = join(root, "dist/service");

/** A package of the list of programs. */
export type Package = keyof typeof programs.dependencies;
/** The exact version that the suite runs against. */
export const versionOf = (name: Package): string => programs.dependencies[name];

/** The path of a program that a package brings. */
export const programOf = (name: string): string => join(programsFolder, "node_modules/.bin", name);

/** Whether a package is installed in the version of the list. */
export function isInstalled(name: Package): boolean {
  const file = join(programsFolder, "node_modules", name, "package.json");
  if (!existsSync(file)) return false;
  return (
    (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version === versionOf(name)
  );
}

/** Whether this process has no network but loopback. */
const isApart = (): boolean =>
  existsSync("/proc/net/dev") &&
  readFileSync("/proc/net/dev", "utf8")
    .split("\n")
    .slice(2)
    .every((line) => line.trim() === "" || /^\s*lo:/.test(line));

/** Why the tests of a harness cannot run here, or null. Without the namespace a harness would call its maker. */
export function reasonToSkip(name: Package): string | null {
  if (!isApart()) return "this process has a network: run `npm run test:harnesses`";
  if (!isInstalled(name) || !isInstalled("@xterm/headless"))
    return `${name} ${versionOf(name)} is not installed: run \`npm run test:harnesses\``;
  return existsSync(service) ? null : "dist/service is missing: run `npm run build`";
}
