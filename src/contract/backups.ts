import { callers, operation } from "./operation.ts";
import { BackupName, ServerGeneration, Timestamp } from "./scalars.ts";
import { closed, nullable, oneOf, record, t } from "./schema.ts";

const Size = t.Integer({ minimum: 0 });

/** A backup, or the run that makes one. */
export const Backup = record({
  name: BackupName,
  state: oneOf("running", "done", "failed"),
  started_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
  taken_at: nullable(Timestamp),
  where: t.String(),
  bytes: nullable(Size),
  files: nullable(Size),
  error: nullable(record({ code: t.String(), message: t.String(), hint: t.String() })),
});

/** The receipt of a restore. */
const Restore = record({
  backup: BackupName,
  taken_at: Timestamp,
  restored_at: Timestamp,
  generation: ServerGeneration,
  keys: oneOf("keep", "revoke"),
  boards: Size,
  events: Size,
  people: Size,
  files: Size,
});

const params = closed({ backup: BackupName });

export const createBackup = operation({
  method: "POST",
  path: "/v1/backups",
  tag: "server",
  summary: "Begin a backup",
  description:
    "Answers 202 at once; `GET /v1/backups/{backup}` says how it goes. The server goes on meanwhile. Where backups go is a setting of the server, which `where` shows. A backup holds everything of everybody.",
  success: 202,
  access: "server-admin",
  callers: callers.people,
  replay: "kept",
  body: closed({ name: t.Optional(BackupName) }),
  bodyOptional: true,
  response: Backup,
  errors: ["backup_running", "backup_exists"],
});

export const listBackups = operation({
  method: "GET",
  path: "/v1/backups",
  tag: "server",
  summary: "List the backups, newest first",
  description: "With those that run, and the last ones that failed.",
  access: "server-admin",
  callers: callers.people,
  response: record({ backups: t.Array(Backup) }),
  errors: [],
});

export const getBackup = operation({
  method: "GET",
  path: "/v1/backups/:backup",
  tag: "server",
  summary: "Show a backup",
  description: "`error` says why it failed, and what to do.",
  access: "server-admin",
  callers: callers.people,
  params,
  response: Backup,
  errors: ["backup_not_found"],
});

export const deleteBackup = operation({
  method: "DELETE",
  path: "/v1/backups/:backup",
  tag: "server",
  summary: "Delete a backup",
  description: "For good. One that failed is only taken from the list.",
  access: "server-admin",
  callers: callers.keyHolders,
  replay: "kept",
  params,
  response: Backup,
  errors: ["backup_not_found", "backup_running"],
});

export const listRestores = operation({
  method: "GET",
  path: "/v1/restores",
  tag: "server",
  summary: "List the restores of this server, newest first",
  access: "server-admin",
  callers: callers.people,
  response: record({ restores: t.Array(Restore) }),
  errors: [],
});
