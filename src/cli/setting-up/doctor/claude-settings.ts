import { join } from "node:path";
import { claudeCodeProfile } from "../../../client/harnesses/claude-code.ts";
import { configFolder } from "../../../client/machine/harness-files.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import type { Cli } from "../../frame/cli.ts";
import { failure, fine, warning, type Check } from "./check.ts";
import { fileState } from "../settings-files/file-state.ts";
import { jsonTree, NotJson } from "../settings-files/json-tree.ts";

/** Where an organisation sets what its people cannot change. */
const managedByOthers = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
];

const name = "claude_settings";

/** Settings of Claude Code that keep our hooks from running, those that an organisation manages among them. */
export function disabledHooks(
  cli: Pick<Cli, "env" | "system" | "cwd">,
  managed: readonly string[] = managedByOthers,
): Check[] {
  const config = configFolder(cli, claudeCodeProfile);
  const own = [
    join(config, "settings.json"),
    join(cli.cwd, ".claude/settings.json"),
    join(cli.cwd, ".claude/settings.local.json"),
  ];
  const checks = [...new Set([...managed, ...own])].flatMap((path) => {
    const settings = settingsAt(path);
    if (settings === "unreadable")
      return managed.includes(path)
        ? warning({
            name,
            code: "claude_settings_unreadable",
            message: `${path} cannot be read: whether it turns hooks off cannot be told.`,
            fix: "Ask whoever manages this machine.",
          })
        : [];
    const isManagedOnly = managed.includes(path) && settings["allowManagedHooksOnly"] === true;
    if (settings["disableAllHooks"] !== true && !isManagedOnly) return [];
    const setting = isManagedOnly ? "allowManagedHooksOnly" : "disableAllHooks";
    return failure({
      name,
      code: "claude_hooks_disabled",
      message: `${path} has \`${setting}\`: no hook of ours runs.`,
      fix: managed.includes(path)
        ? "Ask whoever manages this machine. Until then agents read with `service inbox --wait 60`."
        : `Take \`${setting}\` out of that file.`,
    });
  });
  return checks.length > 0 ? checks : [fine(name, "No setting turns hooks off.")];
}

function settingsAt(path: string): Record<string, unknown> | "unreadable" {
  try {
    const { value } = jsonTree(fileState(path).text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof NotJson || error instanceof LocalError) return "unreadable";
    throw error;
  }
}
