import { mostFilesAttached } from "../../contract/limits.ts";
import { ApiError } from "../../client/client.ts";
import type { Agent, AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { digestOf, toSend } from "./local-file.ts";
import { leafOf } from "./file-name.ts";
import { ownerAt, filesOf, type FileContext } from "./file-context.ts";
import { putFile } from "./put-file.ts";
import { remember } from "../../client/machine/remembered-files.ts";
import { sameVersion } from "./same-version.ts";
import { knownAt } from "./send-file.ts";

interface Version {
  readonly file: string;
  readonly version: number;
}

/** Writes files of this machine to the agent's board and gives the versions that a message attaches. */
export async function attach(
  cli: Cli,
  agent: Agent,
  flags: AgentFlags & { readonly attach: readonly string[] },
): Promise<Version[]> {
  const paths = flags.attach;
  if (paths.length > mostFilesAttached)
    throw usageError(
      `There are ${paths.length} files, and ${mostFilesAttached} are the most that a message attaches.`,
      "Write the others with `service file put PATH`, and name them in the text.",
    );
  // All of them are looked at before the first one is sent.
  const there = paths.map((path) => ({ path, absolute: toSend(cli.cwd, path) }));
  const context = await filesOf(cli, agent, flags);
  const versions: Version[] = [];
  for (const { path, absolute } of there) versions.push(await versionOf(context, path, absolute));
  return versions;
}

/** The version to attach: the remembered one if the file here is unchanged, else a new one, or the board's if it has the same bytes. */
async function versionOf(context: FileContext, path: string, absolute: string): Promise<Version> {
  const owner = await ownerAt(context);
  const known = knownAt(context, owner, absolute);
  if (known && known.digest === (await digestOf(absolute)))
    return { file: known.file_id, version: known.version };
  try {
    const { id, latest } = await putFile(context, { path, task: [], maintained: false });
    return { file: id, version: latest.version };
  } catch (error) {
    const isTaken = error instanceof ApiError && /^file_(exists|changed)$/.test(error.code);
    const same = isTaken && (await sameVersion(context, known?.name ?? leafOf(path), absolute));
    if (!same) throw error;
    const { id: file_id, name, latest } = same;
    const { version, digest } = latest;
    remember(context.cli, { ...owner, file_id, name, version, digest, path: absolute });
    return { file: file_id, version };
  }
}
