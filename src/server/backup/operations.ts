import { restores } from "../../db/restores.ts";
import type { Handler } from "../handler.ts";

export const createBackup: Handler<"createBackup"> = (tx, _standing, { body }, { backups }) =>
  backups.start(tx, body?.name);

export const listBackups: Handler<"listBackups"> = (_tx, _standing, _input, { backups }) => ({
  backups: backups.list(),
});

export const getBackup: Handler<"getBackup"> = (_tx, _standing, { params }, { backups }) =>
  backups.get(params.backup);

export const deleteBackup: Handler<"deleteBackup"> = (tx, _standing, { params }, { backups }) =>
  backups.delete(tx, params.backup);

export const listRestores: Handler<"listRestores"> = (tx) => ({ restores: restores(tx) });
