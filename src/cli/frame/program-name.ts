import { fs } from "../../client/files/late-fs.ts";
import { relative, resolve } from "node:path";
import type { Surroundings } from "./surroundings.ts";
import { inSession } from "../../client/machine/harness.ts";
import { shellWord } from "../../contract/shell-word.ts";

const source = resolve(import.meta.dir, "../../main.ts");
const checkout = resolve(import.meta.dir, "../../..");

/** Whether this runs as a compiled executable, and not from the sources of a checkout. */
const isExecutable = (): boolean => /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN)/.test(Bun.main);

/** The folder in which the command was typed: npm runs its script in the checkout, wherever the alias was used. */
export const typedIn = ({ cwd, env }: Pick<Surroundings, "cwd" | "env">): string =>
  !isExecutable() && cwd === checkout && env["npm_lifecycle_event"] === "service"
    ? (env["INIT_CWD"] ?? cwd)
    : cwd;

/** The words that start this program again from any folder. */
export const selfCommand = ({ system }: Pick<Surroundings, "system">): string[] =>
  isExecutable() ? [system.executable] : [system.executable, source];

/**
 * The command that is typed here: `service` if the PATH finds this program, else its path or the npm script of the checkout.
 * In a session it is the absolute path, because harnesses let an agent run no other form without a question.
 */
export function programName(given: Surroundings): string {
  const { cwd, env, system } = given;
  if (inSession(env)) return absoluteProgram(given);
  if (!isExecutable()) return `npm ${fromCheckout(given)}run -s service --`;
  if (isOnPath(given)) return "service";
  const path = relative(cwd, system.executable);
  return shellWord(path.startsWith("..") ? system.executable : `./${path}`);
}

/** The command that starts this program from any folder, whatever the PATH finds: `service` is a command of Linux too. */
export const absoluteProgram = (given: Pick<Surroundings, "system">): string =>
  selfCommand(given).map(shellWord).join(" ");

function isOnPath({ env, system }: Surroundings): boolean {
  const found = Bun.which("service", { PATH: env["PATH"] ?? "" });
  return found !== null && fs().realpathSync(found) === fs().realpathSync(system.executable);
}

const fromCheckout = ({ cwd }: Surroundings): string =>
  cwd === checkout ? "" : `--prefix ${shellWord(checkout)} `;
