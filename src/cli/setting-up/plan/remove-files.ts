import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Cli } from "../../frame/cli.ts";
import { emptyManifest, manifestFile, readManifest, type Manifest } from "../entries/manifest.ts";
import type { RemovalPlan } from "./plan-removal.ts";
import { refuseUnwritable, writeFiles } from "./write-files.ts";

/** Does what was planned, and forgets in the manifest what is gone. Kept files stay in it. */
export function applyRemoval(cli: Cli, { files, removals }: RemovalPlan): void {
  const writes = files.flatMap(({ file, text }) => (text === null ? [] : [{ file, text }]));
  const gone = files.filter(({ text }) => text === null).map(({ file }) => file);
  refuseUnwritable(files, cli.system.userId);
  writeFiles(writes);
  // A link was there before our file: none is ever made.
  for (const { target } of gone) rmSync(target, { force: true });
  const manifest = readManifest(cli);
  const { folders, installs } = manifest;
  const made = [...folders, ...gone.map(({ path }) => dirname(path)).filter(isSkillFolder)];
  // The innermost first.
  for (const folder of [...new Set(made)].sort((one, other) => other.length - one.length))
    removeIfEmpty(folder);
  if (Bun.deepEquals(manifest, emptyManifest)) return;
  const kept = new Set(
    removals.flatMap(({ path, kind, action }) => (action === "keep" ? [`${kind} ${path}`] : [])),
  );
  const rest = (): Manifest => ({
    ...emptyManifest,
    installs: installs.filter(({ path, kind }) => kept.has(`${kind} ${path}`)),
    folders: folders.filter((folder) => existsSync(folder)),
  });
  cli.learned.change(manifestFile(cli.folders), emptyManifest, rest);
}

const isSkillFolder = (folder: string): boolean => folder.endsWith("/skills/service");

/** Removes a folder that holds nothing. */
export function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
