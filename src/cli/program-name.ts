import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Env } from "./cli.ts";
import { shellWord } from "../contract/shell-word.ts";

const source = resolve(import.meta.dir, "../main.ts");
const checkout = resolve(import.meta.dir, "../..");

/** Whether this runs as a compiled executable, and not from the sources of a checkout. */
const isExecutable = (): boolean => /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN)/.test(Bun.main);

/** The words that start this program again, wherever the caller stands. */
export const selfCommand = (): string[] =>
  isExecutable() ? [process.execPath] : [process.execPath, source];

/**
 * What a person types for this program here. `service` when that is what the PATH finds (Linux has another command of
 * that name), else the executable's path, or the npm script of the checkout.
 */
export function programName(env: Env): string {
  if (!isExecutable()) return `npm ${fromCheckout(env)}run -s service --`;
  if (isOnPath(env)) return "service";
  const path = relative(process.cwd(), process.execPath);
  return shellWord(path.startsWith("..") ? process.execPath : `./${path}`);
}

/** What a program types for this one, wherever it stands. */
export const absoluteProgram = (env: Env): string =>
  isExecutable() && isOnPath(env) ? "service" : selfCommand().map(shellWord).join(" ");

function isOnPath(env: Env): boolean {
  const found = Bun.which("service", { PATH: env["PATH"] ?? "" });
  return found !== null && realpathSync(found) === realpathSync(process.execPath);
}

function fromCheckout(env: Env): string {
  const folder = env["INIT_CWD"] ?? process.cwd();
  return folder === checkout ? "" : `--prefix ${shellWord(checkout)} `;
}
