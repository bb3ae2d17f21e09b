/** A failure of a backup or a restore. `code` and `hint` say why, and what to do. */
export class BackupFailed extends Error {
  override readonly name: string = "BackupFailed";
  readonly code: string;
  readonly hint: string;
  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** There is no backup of that name in a place: no folder, or one without a manifest. */
export class BackupNotFound extends BackupFailed {
  override readonly name = "BackupNotFound";
  constructor(name: string, where: string) {
    super(
      "backup_not_found",
      `There is no backup ${name} in ${where}.`,
      `See which there are: \`service backup list --to ${where}\``,
    );
  }
}

/** A backup that does not hold what was stored. `why` ends a sentence about the named part. */
export class BackupDamaged extends BackupFailed {
  override readonly name = "BackupDamaged";
  constructor(part: string, why: string, hint = "Use another one: `service backup list`") {
    super("backup_damaged", `This backup cannot be used: ${part}: ${why}.`, hint);
  }
}

/** Whether the system refused to show something to this user. */
export const isForbidden = (error: unknown): boolean =>
  ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");

/** A folder or a file that this user may not read, such as of backups that root has brought: nothing says that it is damaged. */
export const mayNotRead = (path: string): BackupFailed =>
  new BackupFailed(
    "backup_place_failed",
    `This user may not read ${path}.`,
    "Give the backups to the user who runs this: `chown -R USER FOLDER`",
  );
