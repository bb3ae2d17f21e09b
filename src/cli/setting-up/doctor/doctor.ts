import { bold, dim, green, red, yellow } from "../../terminal/style.ts";
import { columns, counted } from "../../terminal/table.ts";
import type { Cli } from "../../frame/cli.ts";
import { defineCommand } from "../../frame/command.ts";
import { typedHere } from "../../frame/output.ts";
import { checkDaemon } from "./check-daemon.ts";
import { checkHarnesses } from "./check-harness.ts";
import { checkServers } from "./check-servers.ts";
import { checkMode } from "./check-mode.ts";
import { checkTools } from "./check-tools.ts";
import { refused, type Check } from "./check.ts";

export default defineCommand({
  summary: "Check that messages can reach your sessions",
  acts: "neutral",
  inSubagent: true,
  details:
    "Checks servers, the delivery daemon, and what `init` wrote into the settings of harnesses. Each finding comes with what to do. It starts no server and no daemon and changes nothing; it asks the harnesses themselves for their versions. Exits with 3 if something is broken.",
  seeAlso: ["init", "status"],
  async run({ data: cli }) {
    const checks = (await checksHere(cli)).map((check) => shownHere(cli, check));
    const isBroken = checks.some(({ level }) => level === "error");
    return { json: { checks }, text: checksText(checks), exitCode: isBroken ? 3 : 0 };
  },
});

/** Every finding about this machine. */
export async function checksHere(cli: Cli): Promise<Check[]> {
  const parts = await Promise.all([
    safely("local_server", () => checkServers(cli)),
    safely("daemon", () => checkDaemon(cli)),
    safely("setup", () => checkHarnesses(cli)),
    safely("tools", () => checkTools(cli)),
    safely("delivery_mode", () => checkMode(cli)),
  ]);
  return parts.flat();
}

/** A file that cannot be read, such as a damaged one of ours, is a finding, and the other checks go on. */
async function safely(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await check();
  } catch (error) {
    return [refused(name, error)];
  }
}

function shownHere(cli: Cli, check: Check): Check {
  const { message, fix } = check;
  return { ...check, message: typedHere(cli, message), fix: fix && typedHere(cli, fix) };
}

const marks = { ok: green, warning: yellow, error: red } as const;

function checksText(checks: readonly Check[]): string {
  const rows = checks.flatMap(({ level, name, message, fix }) => [
    [marks[level](level), name, message],
    ...(fix === null ? [] : [["", "", `Fix: ${fix}`]]),
  ]);
  const count = (level: Check["level"]) => checks.filter((check) => check.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const found = [counted(errors, "error", "errors"), counted(warnings, "warning", "warnings")];
  const end = errors + warnings === 0 ? "Nothing is wrong." : `${found.join(", ")}.`;
  return `${columns(rows)}\n\n${errors > 0 ? bold(end) : dim(end)}`;
}
