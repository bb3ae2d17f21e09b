import { CliError } from "../errors.ts";

/** The refusal of a command that ties a session to a pairing request. */
export const needsDaemon = (id = "ID"): CliError =>
  new CliError(
    "daemon_not_running",
    "Tying a session to a pairing request needs the delivery daemon, which is not running.",
    `The request waits meanwhile: \`service pairing show ${id}\`. \`service pairing decline ${id}\` declines it.`,
  );
