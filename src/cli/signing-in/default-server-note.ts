import type { Cli } from "../frame/cli.ts";
import { confirmed, mayAsk } from "../frame/questions.ts";
import { defaultServer, saveDefault, type ServerRef } from "../../client/machine/servers.ts";

/** Decides whether an added server becomes the default, with the lines that say so. Asks only where another team's server is the default. */
export function settleDefault(cli: Cli, added: ServerRef, isDefault: boolean) {
  const chosen = defaultServer(cli);
  if (isDefault || chosen?.name === added.name) return { isDefault, lines: [] };
  const question = `Commands go to ${chosen?.url}. Send them to ${added.url} from now on?`;
  if (chosen && chosen.name !== "local" && mayAsk(cli) && confirmed(cli, question)) {
    saveDefault(cli, added.name);
    return {
      isDefault: true,
      lines: [`Commands go to ${added.url} unless --server names another one.`],
    };
  }
  const now = chosen ? `Commands still go to ${chosen.url}` : "No server is the default";
  return {
    isDefault,
    lines: [
      `${now}. For this one: --server ${added.url}, or ${cli.typed(`servers use ${added.url}`)}`,
    ],
  };
}
