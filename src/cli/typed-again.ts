import type { Cli } from "./cli.ts";
import { quoted } from "./program-name.ts";

interface Flags {
  readonly as?: string | undefined;
  readonly board?: string | undefined;
  readonly server?: string | undefined;
}

/** Commands as they can be typed here, with the flags that selected agent, board and server in this one. */
export function typedWith(cli: Cli, { as, board, server }: Flags): (command: string) => string {
  const chosen = Object.entries({ as, board, server }).flatMap(([flag, value]) =>
    value === undefined ? [] : [` --${flag} ${quoted(value)}`],
  );
  return (command) => cli.typed(`${command}${chosen.join("")}`);
}
