import type { HarnessProfile, InstallItem } from "../../../client/harnesses/profile.ts";
import type { FileState } from "../settings-files/file-state.ts";
import type { LostHook } from "./hook-entries.ts";
import type { InstallRecord, Manifest, PartKind, RestoreRecord, Scope } from "./manifest.ts";
import type { OwnProgram } from "./own-program.ts";

/** What the person wants to be set up. */
export interface Wishes {
  readonly scope: Scope;
  readonly profiles: readonly HarnessProfile[];
  readonly allowCommands: boolean;
}

/** What is known of this machine before anything is changed. */
export interface SetupState {
  readonly program: OwnProgram;
  /** The version of this program. */
  readonly build: string;
  readonly manifest: Manifest;
  /** The installed version by harness; null if there is none, or if it cannot be read. */
  readonly versions: Readonly<Record<string, string | null>>;
  /** Where a part lies in a scope. Null for what does not exist there. */
  place(profile: HarnessProfile, item: InstallItem, scope: Scope): string | null;
  file(path: string): FileState;
}

/** A part of a file, as `init --json` shows it. */
export interface Change {
  readonly path: string;
  readonly kind: PartKind;
  readonly action: "create" | "update" | "unchanged";
  readonly allow?: readonly string[];
  /** Set when somebody edited what is written anew. */
  readonly edited?: true;
  /** The version of this program that wrote what is there. */
  readonly written_by?: string;
  /** What the text says beside the path. */
  readonly what: string;
}

/** A file to write. */
export interface FileWrite {
  readonly file: FileState;
  readonly text: string;
}

/** What is done for one harness. */
export interface HarnessPlan {
  readonly profile: HarnessProfile;
  readonly version: string | null;
  readonly changes: readonly Change[];
  readonly lost: readonly LostHook[];
}

/** All that `init` does. Nothing is written while it is made. */
export interface SetupPlan {
  readonly scope: Scope;
  readonly harnesses: readonly HarnessPlan[];
  readonly writes: readonly FileWrite[];
  readonly records: readonly InstallRecord[];
  readonly restores: readonly RestoreRecord[];
}

/** What one part of a plan adds to it. */
export interface Part {
  readonly change: Change;
  readonly record: InstallRecord | null;
}

/** A change with its record: an unchanged part keeps the version that wrote it first. */
export function partOf(given: {
  readonly change: Change;
  readonly harness: string;
  readonly scope: Scope;
  readonly build: string;
  readonly record: InstallRecord | undefined;
  readonly digest: string;
  readonly rule?: string;
}): Part {
  const { change, harness, scope, build, record, digest, rule } = given;
  const isKept = change.action === "unchanged" && record !== undefined;
  return {
    change: { ...change, ...(record && { written_by: record.version }) },
    record: {
      path: change.path,
      harness,
      scope,
      kind: change.kind,
      version: isKept ? record.version : build,
      sha256: digest,
      ...(rule !== undefined && { rule }),
    },
  };
}
