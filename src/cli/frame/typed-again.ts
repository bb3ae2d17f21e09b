import type { Cli } from "./cli.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { defaultServer, isCalled, type ServerRef } from "../../client/machine/servers.ts";

interface Flags {
  readonly as?: string | undefined;
  readonly board?: string | undefined;
  readonly server?: string | undefined;
}

/** What a person's command needs at its end to go to a server: nothing for the one it goes to anyway. */
export function atServer(cli: Cli, server: ServerRef): string {
  const wanted = cli.env["SERVICE_SERVER"];
  const goes = wanted ? isCalled(server, wanted) : defaultServer(cli)?.name === server.name;
  return goes ? "" : ` --server ${shellWord(server.url)}`;
}

/** Commands with the flags that selected agent, board and server in this one. */
function againWith({ as, board, server }: Flags): (command: string) => string {
  const chosen = Object.entries({ as, board, server }).flatMap(([flag, value]) =>
    value === undefined ? [] : [` --${flag} ${shellWord(value)}`],
  );
  return (command) => `${command}${chosen.join("")}`;
}

/** The same as a hint writes them, in backticks. */
export function hintedWith(flags: Flags): (command: string) => string {
  const again = againWith(flags);
  return (command) => `\`service ${again(command)}\``;
}

/** The same as they can be typed here. */
export function typedWith(cli: Cli, flags: Flags): (command: string) => string {
  const again = againWith(flags);
  return (command) => cli.typed(again(command));
}
