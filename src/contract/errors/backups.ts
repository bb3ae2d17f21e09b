/** Refusals about backups: a part of the table of errors. */
export const backupErrors = {
  backup_running: {
    status: 409,
    message: "The backup {name} is being made.",
    hint: "Wait until it has ended: `service backup list`",
  },
  backup_exists: {
    status: 409,
    message: "There is a backup {name} already.",
    hint: "Choose another name, or remove that one: `service backup delete {name}`",
  },
  backup_not_found: {
    status: 404,
    message: "There is no backup {name}.",
    hint: "See which there are: `service backup list`",
  },
} as const;
