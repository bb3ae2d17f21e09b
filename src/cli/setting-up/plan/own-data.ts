import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../../../client/machine/harness-files.ts";
import { usageError } from "../../../client/machine/local-error.ts";
import type { Cli } from "../../frame/cli.ts";
import { removeIfEmpty } from "./remove-files.ts";

/** The folders of this program that are there. */
export const dataFolders = ({ folders }: Pick<Cli, "folders">): string[] =>
  [folders.config, folders.data, folders.state].filter((folder) => existsSync(folder));

/** What is lost with the folders, in words. */
export function lossText({ folders }: Pick<Cli, "folders">): string {
  const parts = [
    `keys and tokens (${folders.config})`,
    `this machine's boards with all their messages and files (${folders.data})`,
    ...(existsSync(join(folders.data, "team"))
      ? [`a team server's data (${join(folders.data, "team")})`]
      : []),
    `what the daemon and commands keep (${folders.state})`,
  ];
  return parts.join("; ");
}

/** Refuses a SERVICE_HOME whose folders may be the person's own. */
export function refuseSharedHome(cli: Pick<Cli, "env" | "system">): void {
  const home = cli.env["SERVICE_HOME"];
  if (!home || !existsSync(home) || !existsSync(homeFolder(cli))) return;
  const [own, persons] = [home, homeFolder(cli)].map((folder) => `${realpathSync(folder)}/`);
  if (!persons!.startsWith(own!)) return;
  throw usageError(
    `SERVICE_HOME is ${home}, which has your home folder's own files: its folders \`config\`, \`data\` and \`state\` may be yours.`,
    "Delete what belongs to this program by hand.",
  );
}

/** Deletes the folders, and SERVICE_HOME if nothing else is in it. */
export function deleteData(cli: Pick<Cli, "folders" | "env">, dirs: readonly string[]): void {
  for (const folder of dirs) rmSync(folder, { recursive: true, force: true });
  const home = cli.env["SERVICE_HOME"];
  if (home) removeIfEmpty(home);
}
