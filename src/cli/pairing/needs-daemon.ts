import { CliError } from "../errors.ts";

const ends = { decline: "declines it", cancel: "takes it back" } as const;

/** The refusal of a command that ties a session to a pairing request, with the word that ends it for whoever typed it. */
export const needsDaemon = (id = "ID", end: "decline" | "cancel" = "decline"): CliError =>
  new CliError(
    "daemon_not_running",
    "Tying a session to a pairing request needs the delivery daemon, which is not running.",
    `The request waits meanwhile: \`service pairing show ${id}\`. Its person ${ends[end]} in a terminal: \`service pairing ${end} ${id}\`.`,
  );
