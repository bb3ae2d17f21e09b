import { withoutSecrets } from "../../contract/credentials.ts";
import { knownServers, readServers } from "../../client/machine/servers.ts";
import { loginHandle } from "../../client/machine/identity.ts";
import { readSeats } from "../../client/machine/seats.ts";
import type { Cli } from "../frame/cli.ts";

/** Takes out of texts what is nobody else's. */
export interface Hiding {
  (text: string): string;
  /** Whether all names are known that this machine has. A damaged file of its own keeps them, and then no log may be shown. */
  readonly knowsAll: boolean;
}

/** Who sent a request, in a line of a server's log. */
const handleInLine = /(\bby_handle(?:":"|=))([^\s"]+)/g;
/** What a line of the daemon's log is about: an agent on a board, or an agent. */
const seatOfLine = /^((?:[a-z ]+ for )?)([\w.-]+) on ([\w.-]+)(?=: )/gm;
const agentOfLine = /^([a-z ]+ (?:of|for) )([\w.-]+)(?=: )/gm;
/** A host that is not this machine, with a port and a password if it has them. */
const hostInAddress = /(\bhttps?:\/\/)(?!(?:localhost|127\.|\[::1\]))([^\s/"'`\\]*[\w\]])/g;

/**
 * Takes out of texts secrets, the home folder, and the names of servers, boards, agents and people: those that this machine
 * knows, that of `server`, and in lines of logs also those that it knew. The same name becomes the same word everywhere.
 */
export function withoutNames(cli: Cli, server: string | undefined): Hiding {
  const words = new Map<string, string>();
  const counts = new Map<string, number>();
  let knowsAll = true;
  const wordFor = (kind: string, name: string): string => {
    if (!words.has(name)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      words.set(name, `${kind}-${counts.get(kind)}`);
    }
    return words.get(name)!;
  };
  const hide = (kind: string, namesOf: () => readonly string[]) => {
    try {
      for (const name of namesOf()) if (name) wordFor(kind, name);
    } catch {
      knowsAll = false;
    }
  };
  hide("server", () =>
    knownServers(cli)
      .filter(({ name }) => name !== "local")
      .map(({ url }) => new URL(url).host),
  );
  const named = server ?? cli.env["SERVICE_SERVER"] ?? "local";
  const host = URL.parse(named)?.host ?? "";
  // As it was typed too: what is no address may hold a password.
  if (named !== "local" && !words.has(host)) hide("server", () => [named, host]);
  hide("person", () => [loginHandle(cli)]);
  hide("person", () => readServers(cli).servers.map(({ handle }) => handle));
  hide("agent", () => readSeats(cli).map(({ name }) => name));
  hide("board", () => readSeats(cli).map(({ board }) => board));
  const home = cli.env["HOME"];
  // The longest first: one name may be the beginning of another.
  const names = [...words.keys()].toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(
    `(?<![A-Za-z0-9-])(?:${names.map((name) => RegExp.escape(name)).join("|") || "(?!)"})(?![A-Za-z0-9-])`,
    "g",
  );
  const hiding = (text: string) =>
    withoutSecrets(home ? text.replaceAll(home, "~") : text)
      .replace(
        handleInLine,
        (_all, before: string, name: string) => before + wordFor("person", name),
      )
      .replace(
        seatOfLine,
        (_all, before: string, name: string, board: string) =>
          `${before}${wordFor("agent", name)} on ${wordFor("board", board)}`,
      )
      .replace(agentOfLine, (_all, before: string, name: string) => before + wordFor("agent", name))
      .replace(
        hostInAddress,
        (_all, before: string, host: string) => before + wordFor("server", host),
      )
      .replace(pattern, (name) => words.get(name)!);
  return Object.assign(hiding, { knowsAll });
}
