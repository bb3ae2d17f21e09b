import type { Cli } from "../frame/cli.ts";
import { confirmed, mayAsk } from "../terminal/questions.ts";
import { defaultServer, saveDefault, type ServerRef } from "../../client/machine/servers.ts";

/** Whether commands go to a server that was added, and what is said about it. */
interface DefaultChoice {
  readonly isDefault: boolean;
  readonly lines: readonly string[];
}

/**
 * After a server was added: which one commands go to, and how to go to the new one. A person at a terminal is asked where
 * another team's server is the default; the machine's own is never given up.
 */
export function settleDefault(cli: Cli, added: ServerRef, isDefault: boolean): DefaultChoice {
  const chosen = defaultServer(cli);
  if (isDefault || chosen?.name === added.name) return { isDefault, lines: [] };
  const question = `Commands go to ${chosen?.url}. Are they to go to ${added.url} from now on?`;
  if (chosen && chosen.name !== "local" && mayAsk(cli) && confirmed(cli, question)) {
    saveDefault(cli, added.name);
    return { isDefault: true, lines: [`Commands go to ${added.url} unless told otherwise.`] };
  }
  const now = chosen ? `Commands still go to ${chosen.url}` : "No server is the default";
  return {
    isDefault,
    lines: [
      `${now}. For this one: --server ${added.url}, or ${cli.typed(`servers use ${added.url}`)}`,
    ],
  };
}
