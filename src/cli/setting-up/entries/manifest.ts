import { join } from "node:path";
import type { Folders, Machine } from "../../../client/machine/machine.ts";
import type { JsonFile } from "../../../client/machine/private-files.ts";
import type { Edit } from "../settings-files/json-edits.ts";

/** Whose sessions read what is written: the whole user's, or those in one project. */
export type Scope = "global" | "project";

/** What a part of a file is. Hooks and permissions share the harness's own settings file; the others are files of ours. */
export type PartKind = "skill" | "hooks" | "permissions" | "file" | "mcp";

/** What this program wrote, so that it knows its own work again. */
export interface InstallRecord {
  readonly path: string;
  readonly harness: string;
  readonly scope: Scope;
  readonly kind: PartKind;
  /** The version of this program that wrote it first. */
  readonly version: string;
  /** The digest of what was written; of hooks and permissions, of our entries alone. */
  readonly sha256: string;
  /** The rule, for permissions. */
  readonly rule?: string;
}

/** How a settings file was before our entries: exact as long as the file is as we left it. */
export interface RestoreRecord {
  readonly path: string;
  /** The digest of the whole file as we left it. */
  readonly sha256: string;
  readonly edits: readonly Edit[];
  /** Whether there was no file. */
  readonly created: boolean;
}

/** The manifest of what this program wrote into the settings of harnesses. */
export interface Manifest {
  readonly installs: readonly InstallRecord[];
  readonly restores: readonly RestoreRecord[];
  /** Folders that were made for it. */
  readonly folders: readonly string[];
  /** The keys of the hooks that Codex trusts because of `--trust-hooks`. */
  readonly trusted?: readonly string[];
  /** The delivery mode that is kept here for servers that hold none. */
  readonly delivery?: string;
}

export const emptyManifest: Manifest = { installs: [], restores: [], folders: [] };

/** The manifest's file. */
export const manifestFile = ({ state }: Folders): JsonFile<Manifest> => ({
  path: join(state, "installs.json"),
  afresh: "run `service init` again",
  holds: (content): content is Manifest => {
    const lists = content as Partial<Manifest> | null;
    return [lists?.installs, lists?.restores, lists?.folders].every(Array.isArray);
  },
});

export const readManifest = (machine: Pick<Machine, "folders" | "learned">): Manifest =>
  machine.learned.json(manifestFile(machine.folders)) ?? emptyManifest;

export const sha256 = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** A digest of entries, whatever the order of their fields. */
export const digestOf = (value: unknown): string => sha256(JSON.stringify(sorted(value)));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([key, inner]) => [key, sorted(inner)]));
}

/** The record of a part, or undefined. */
export const recordOf = (
  { installs }: Manifest,
  path: string,
  kind: PartKind,
): InstallRecord | undefined => installs.find((one) => one.path === path && one.kind === kind);
