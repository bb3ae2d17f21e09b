import { LocalError } from "../../client/machine/local-error.ts";

/** The refusal of a command in a sandbox that blocks the network. */
export const networkRefusal = (): LocalError =>
  new LocalError(
    "sandbox_blocks_network",
    "This sandbox blocks the network, so no server can be reached from here.",
    "Approve this command to run outside the sandbox. Your person can allow all commands of this program, in a terminal: `service init --yes --allow-commands`.",
  );
