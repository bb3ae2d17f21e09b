import { join } from "node:path";
import { shellWord } from "../../contract/shell-word.ts";
import { readText } from "../../client/machine/private-files.ts";
import { findCommand } from "../find-command.ts";
import { flagsOf, parseArguments } from "../frame/parse-arguments.ts";
import { selfCommand } from "../frame/program-name.ts";
import { textIn } from "./hook-input.ts";
import { outputFor, type Hook, type HookOutput } from "./hook.ts";

/**
 * Marks a subagent's command that runs this program, so that it acts as nobody: the harness gives a subagent the same
 * environment as its session. The mark prevents mistakes; it is no boundary of security. A call that a subagent may make
 * and that the person's rule allows anyway runs without a question, because the mark hides it from that rule.
 */
export async function markSubagent(hook: Hook): Promise<HookOutput> {
  const { input, subagent } = hook;
  const tool = (input["tool_input"] ?? {}) as { readonly command?: unknown };
  const { command } = tool;
  if (textIn(input, "tool_name") !== "Bash" || typeof command !== "string") return {};
  const program = selfCommand(hook).map(shellWord).join(" ");
  if (!runsProgram(command, program)) return {};
  const marked = `export SERVICE_SUBAGENT=${shellWord(subagent)}; ${command}`;
  const isAllowed = (await isPlainReading(command, program)) && hasRule(hook, program);
  return outputFor("PreToolUse", {
    ...(isAllowed && { permissionDecision: "allow" }),
    updatedInput: { ...tool, command: marked },
  });
}

/** Options of these that take a word of their own, other options, and the number that some of them begin with. */
const runner =
  /\b(?:env|sudo|time|timeout|nice|ionice|nohup|setsid|stdbuf|xargs)\s+(?:-[CILPdgknosu]\s+\S+\s+|-(?![CILPdgknosu]\s)\S+\s+|\d[\d.]*[dhms]?\s+)*/;

/** What may stand before a command: the beginning, a separator, or what runs the next word, and then variables. */
const before = new RegExp(
  String.raw`(?:^|[\n;&|({\x60]|\$\(|\s-\w*c\s+["']|\b(?:if|elif|while|until|then|do|else|exec|command)\s|(?<!\S)!\s|${runner.source})\s*(?:[A-Za-z_]\w*=\S*\s+)*`,
);

/** Whether a line runs this program as a command. A path that only names it does not count. */
function runsProgram(command: string, program: string): boolean {
  const names = [escaped(program), String.raw`(?:[^\s"';&|()]*/)?service`].join("|");
  return new RegExp(`${before.source}["']?(?:${names})(?=["']?(?:[\\s;&|)]|$))`).test(command);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether a line is one plain call of this program by its path, with a command that subagents may run. */
async function isPlainReading(command: string, program: string): Promise<boolean> {
  if (!command.startsWith(`${program} `)) return false;
  const line = command.slice(program.length + 1);
  if (!/^[\w@%+=:,./ -]+$/.test(line)) return false;
  try {
    const words = line.split(" ").filter((word) => word !== "");
    const { command: found, rest } = await findCommand(words);
    const values = await parseArguments(rest, flagsOf(found));
    const { inSubagent = false } = found;
    return typeof inSubagent === "function" ? inSubagent(values as never) : inSubagent;
  } catch {
    return false;
  }
}

/** Whether the person let sessions run this program without a question, in a settings file that the harness reads. */
function hasRule({ cwd, env, profile, system }: Hook, program: string): boolean {
  const item = profile.install.find(({ kind }) => kind === "hooks");
  const rule = profile.install.find(({ kind }) => kind === "allow-rule");
  if (item?.kind !== "hooks" || rule?.kind !== "allow-rule") return false;
  const { env: variable = "", default: folder } = profile.configDir;
  const config = env[variable] || join(env["HOME"] || system.homeFolder(), folder);
  const project = env["CLAUDE_PROJECT_DIR"] || cwd;
  const files = [item.global.replace("{config}", config), join(project, item.project ?? "")];
  return files.some((file) => allows(file, rule.rule.replace("{program}", program)));
}

function allows(file: string, rule: string): boolean {
  try {
    const settings: unknown = JSON.parse(readText(file) ?? "{}");
    const { allow } = (settings as { permissions?: { allow?: unknown } }).permissions ?? {};
    return Array.isArray(allow) && allow.includes(rule);
  } catch {
    return false;
  }
}
