import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { isDiskFull } from "../../client/files/full-disk.ts";
import { defineCommand, type Answer } from "../frame/command.ts";
import type { StorageFindings } from "../frame/offline.ts";
import { watched } from "../frame/progress.ts";
import { refuseOwnedByOther } from "../local-server/private-data.ts";
import { placeOfData } from "../local-server/place-of-data.ts";
import { dataFolder, storageOf } from "../running/serve-storage.ts";
import { counted } from "../terminal/table.ts";
import { backupFlags } from "./place-of-backups.ts";

export default defineCommand({
  summary: "Check what a stopped server has stored",
  acts: "person",
  startsNothing: true,
  args: {
    data: backupFlags.data,
    db: {
      type: "string",
      valueHint: "URL",
      description: "The database: sqlite:///FOLDER/service.db (else SERVICE_DB).",
    },
    files: {
      type: "string",
      valueHint: "URL",
      description: "The files beside it: disk:///FOLDER/files (else SERVICE_FILES).",
    },
  },
  details:
    "Checks the database, the record of every board, each board against what its record makes of it, and the bytes of every version of every file. Changes nothing that is stored. Damage ends with exit code 3. It needs as much free disk as the database has.",
  seeAlso: ["backup verify", "audit verify", "restore"],
  async run({ args, data: cli }) {
    const storage = storageOf(cli.env, args);
    const named = placeOfData(cli, args.data ?? storage.data?.folder).dataFolder;
    const folder = dataFolder(storage, named, {
      by: "--data",
      hint: "Leave out one of them.",
    });
    refuseOwnedByOther(cli, folder);
    if (!existsSync(join(folder, "service.db")))
      throw usageError(
        `The folder ${folder} holds no server's data.`,
        "Name the folder that the server has as `--data`, on its machine.",
      );
    cli.system.setUmask(0o077);
    const shown = watched(cli, "Checking", "data", 100);
    try {
      const found = await cli.offline.checkStorage(folder, (bytes, total) =>
        shown.onProgress?.(Math.floor((bytes / total) * 100)),
      );
      return outcome(folder, found);
    } catch (error) {
      if (!isDiskFull((error as { code?: string }).code)) throw error;
      throw new LocalError(
        "disk_full",
        `The disk is full: the check needs about as much room in ${folder} as the database has.`,
        "Make room there, or copy the whole folder to another disk while no server runs on it, and check the copy with `--data`.",
      );
    } finally {
      shown.end();
    }
  },
});

function outcome(folder: string, found: StorageFindings): Answer {
  const path = (name: string) => pathToFileURL(join(folder, name)).pathname;
  const problems = problemsOf(found);
  const json = { db: `sqlite://${path("service.db")}`, files: `disk://${path("files")}`, ...found };
  const what = `${counted(found.boards, "board", "boards")} with ${counted(found.events, "event", "events")}, and ${counted(found.checked, "version of a file", "versions of files")}`;
  if (problems.length === 0)
    return {
      json: { ok: true, ...json },
      text: `${folder} is sound: ${what}.`,
    };
  const [message, hint] = [
    `${folder} is damaged.`,
    "Keep this folder as it is, and restore the newest backup into another one: `service backup list`, `service restore`",
  ];
  return {
    json: { ok: false, ...json, error: { code: "check_failed", message, hint } },
    text: [`Checked ${what}.`, ...problems, message, hint].join("\n"),
    exitCode: 3,
  };
}

const problemsOf = ({ damage, differences, missing, corrupt }: StorageFindings): string[] => [
  ...damage,
  ...differences.map(
    ({ board, table }) => `The board ${board} is not what its record makes of it: table ${table}.`,
  ),
  ...missing.map((digest) => `The bytes of a file are not there: ${digest}.`),
  ...corrupt.map((digest) => `The bytes of a file are not those that were stored: ${digest}.`),
];
