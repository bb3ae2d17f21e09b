import { withoutSecrets } from "../../contract/credentials.ts";
import { knownServers, readServers } from "../../client/machine/servers.ts";
import { loginHandle } from "../../client/machine/identity.ts";
import { readSeats } from "../../client/machine/seats.ts";
import type { Cli } from "../frame/cli.ts";

/**
 * Takes out of texts what is nobody else's: secrets, the home folder, and the names of servers, boards, agents and people
 * that this machine knows. The same name becomes the same word everywhere.
 */
export function withoutNames(cli: Cli): (text: string) => string {
  const seats = readSeats(cli);
  const words = new Map<string, string>();
  const hide = (kind: string, names: Iterable<string>) => {
    let number = 0;
    for (const name of names) if (name && !words.has(name)) words.set(name, `${kind}-${++number}`);
  };
  hide(
    "server",
    knownServers(cli)
      .filter(({ name }) => name !== "local")
      .map(({ url }) => new URL(url).host),
  );
  hide("person", [
    loginHandle(cli),
    ...Object.values(readServers(cli).servers).flatMap(({ handle }) => handle ?? []),
  ]);
  hide(
    "agent",
    seats.map(({ name }) => name),
  );
  hide(
    "board",
    seats.map(({ board }) => board),
  );
  const home = cli.env["HOME"];
  // The longest first: one name may be the beginning of another.
  const names = [...words.keys()].toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(
    `(?<![A-Za-z0-9-])(?:${names.map((name) => RegExp.escape(name)).join("|") || "(?!)"})(?![A-Za-z0-9-])`,
    "g",
  );
  return (text) => {
    const plain = withoutSecrets(home ? text.replaceAll(home, "~") : text);
    return plain.replace(pattern, (name) => words.get(name)!);
  };
}
