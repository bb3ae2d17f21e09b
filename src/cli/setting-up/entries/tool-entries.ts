import { join } from "node:path";
import { claudeCodeProfile } from "../../../client/harnesses/claude-code.ts";
import { codexProfile } from "../../../client/harnesses/codex.ts";
import { opencodeProfile } from "../../../client/harnesses/opencode.ts";
import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import { configFolder, homeFolder } from "../../../client/machine/harness-files.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import type { Cli } from "../../frame/cli.ts";
import { fileState } from "../settings-files/file-state.ts";
import { outputOf } from "./harness-version.ts";
import { jsonTree, nodeAt, NotJson } from "../settings-files/json-tree.ts";
import type { OwnProgram } from "./own-program.ts";

/** The name of our tools in every harness. */
export const toolsName = "service";

/** How a harness starts our tools. */
export interface ToolEntry {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How our tools are to be started. */
export const wantedTools = ({ words, home }: OwnProgram): ToolEntry => ({
  command: [...words, "mcp"],
  env: home ? { SERVICE_HOME: home } : {},
});

/** How a harness keeps the servers of tools. */
export interface ToolSettings {
  /** The file in which the harness keeps them. */
  path(cli: Cli): string;
  /** The entry of our name, or null. Throws if the file cannot be read as what it should be. */
  current(cli: Cli): Promise<ToolEntry | null>;
  /** The harness's own commands that change the entry. Null for a harness without: then the file is changed. */
  readonly commands: {
    readonly add: (entry: ToolEntry) => readonly string[];
    readonly remove: readonly string[];
  } | null;
}

const pairs = (env: ToolEntry["env"]): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** Claude Code keeps them in a file that several programs write: only its own command changes it. */
const claudeCode: ToolSettings = {
  path(cli) {
    const variable = cli.env[claudeCodeProfile.configDir.env ?? ""];
    return join(variable ? configFolder(cli, claudeCodeProfile) : homeFolder(cli), ".claude.json");
  },
  async current(cli) {
    return entryOf(valueAt(claudeCode.path(cli), ["mcpServers", toolsName]));
  },
  commands: {
    add: ({ command, env }) => [
      "claude",
      "mcp",
      "add",
      "--scope",
      "user",
      toolsName,
      ...pairs(env).flatMap((pair) => ["-e", pair]),
      "--",
      ...command,
    ],
    remove: ["claude", "mcp", "remove", "--scope", "user", toolsName],
  },
};

const codex: ToolSettings = {
  path: (cli) => join(configFolder(cli, codexProfile), "config.toml"),
  async current(cli) {
    const said = await outputOf(cli, ["codex", "mcp", "get", toolsName, "--json"]);
    if (said?.code !== 0) return none(cli);
    const { transport } = JSON.parse(said.text) as { transport?: unknown };
    return entryOf(transport);
  },
  commands: {
    add: ({ command, env }) => [
      "codex",
      "mcp",
      "add",
      toolsName,
      ...pairs(env).flatMap((pair) => ["--env", pair]),
      "--",
      ...command,
    ],
    remove: ["codex", "mcp", "remove", toolsName],
  },
};

/** Nothing, if Codex says so because it has no such entry. It fails in the same way where it cannot read its settings. */
async function none(cli: Cli): Promise<null> {
  const said = await outputOf(cli, ["codex", "mcp", "list"]);
  if (said?.code === 0) return null;
  throw new LocalError(
    "settings_broken",
    `Codex cannot read its settings, ${codex.path(cli)}. Nothing was changed.`,
    "`codex mcp list` says what is wrong with them. Repair that, then run this command again.",
  );
}

const opencode: ToolSettings = {
  path: (cli) => join(configFolder(cli, opencodeProfile), "opencode.json"),
  async current(cli) {
    const value = valueAt(opencode.path(cli), ["mcp", toolsName]);
    if (typeof value !== "object" || value === null) return null;
    const { command = [], environment = {} } = value as Record<string, unknown>;
    return { command: listOf(command), env: textsOf(environment) };
  },
  commands: null,
};

/** What our entry is in a file that this program changes itself. */
export const opencodeEntry = ({ command, env }: ToolEntry) => ({
  type: "local",
  command,
  enabled: true,
  ...(Object.keys(env).length > 0 && { environment: env }),
});

/** How a harness keeps the servers of tools. */
export const toolSettings = (profile: HarnessProfile): ToolSettings =>
  profile === claudeCodeProfile ? claudeCode : profile === codexProfile ? codex : opencode;

function valueAt(path: string, way: readonly string[]): unknown {
  const { text } = fileState(path);
  return text === null || text.trim() === "" ? null : nodeAt(jsonTree(text), way)?.value;
}

function entryOf(value: unknown): ToolEntry | null {
  if (typeof value !== "object" || value === null) return null;
  const { command = "", args = [], env } = value as Record<string, unknown>;
  return { command: [String(command), ...listOf(args)], env: textsOf(env) };
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]));

/** Whether what was thrown says that a file is no plain JSON. */
export const isNoJson = (error: unknown): boolean => error instanceof NotJson;
