import {
  asAgent,
  asPerson,
  isAgents,
  type Actor,
  type AgentFlags,
  type PersonFlags,
} from "./acting.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { failureOf, type Failure } from "../frame/output.ts";
import { defaultServer, knownServers, type ServerRef } from "../../client/machine/servers.ts";
import { typedAt, typedWith } from "../frame/suggest.ts";

/** The flag of a list that spans servers. */
export const allServersFlag = {
  allServers: {
    type: "boolean",
    description:
      "On every server that this machine has a key for, even if SERVICE_SERVER chooses one.",
  },
} as const;

interface Flags extends AgentFlags, PersonFlags {
  readonly allServers: boolean;
}

/** One server's part of a list, or the failure to read it. */
export type Group<Listed> = Listed & { readonly server: ServerRef; readonly error?: Failure };

interface ServerList<Listed> {
  /** What a server that cannot be read counts as listing. */
  readonly none: Listed;
  read(actor: Actor): Promise<Listed>;
  /** Whether nothing is listed. There when `--board` filters the list, and does not choose who acts. */
  isEmpty?(listed: Listed): boolean;
  /** One server's list as text. `typed` writes a command with the flags that lead to that server or agent. */
  text(typed: (command: string) => string, group: Group<Listed>): string;
  /** What JSON has of one server's list: all of it unless this says less. */
  json?(group: Group<Listed>): object;
}

/** The answer of a command that lists: one server's list, or under `servers` the list of each. */
export async function listEveryServer<Listed>(
  cli: Cli,
  flags: Flags,
  { none, read, isEmpty, text, json = (group) => group }: ServerList<Listed>,
): Promise<Answer> {
  refuseServers(cli, flags);
  const actor = await firstActor(cli, flags);
  const groups = await readEveryServer(cli, actor, flags, none, read);
  const listed = groups.map(json);
  const again = { as: flags.as, board: isEmpty ? undefined : flags.board };
  const shown = isEmpty ? groupsToShow(groups, flags.board, isEmpty) : groups;
  return {
    json: {
      ...listed[0],
      ...((groups.length > 1 || flags.allServers) && { servers: listed }),
    },
    text: shown.map((group) => text(typedFor(cli, actor, group.server, again), group)).join("\n\n"),
  };
}

/** Refuses what asks an agent for more than its server, and for one server and all of them. */
function refuseServers(cli: Cli, flags: Flags): void {
  const { server, allServers } = flags;
  const more = allServers ? "--all-servers" : server ? "--server" : null;
  if (more && isAgents(cli, flags))
    throw usageError("An agent acts on the server of its seat.", `Leave out \`${more}\`.`);
  if (server && allServers)
    throw usageError(
      "One server is chosen, and all are asked for.",
      "Leave out one of both flags.",
    );
}

/** The selected agent, else the person on the first server of the list: the chosen one, the default, or the first known one. */
export async function firstActor(cli: Cli, flags: Flags): Promise<Actor> {
  if (isAgents(cli, flags)) return asAgent(cli, flags);
  const { server } = flags;
  const first = isChosen(cli, flags) ? undefined : (defaultServer(cli) ?? knownServers(cli)[0]);
  return asPerson(cli, { server: server ?? first?.name });
}

const isChosen = (cli: Cli, { server }: Flags): boolean =>
  Boolean(server ?? cli.env["SERVICE_SERVER"]);

/**
 * Reads the list of the first actor's server, and of the others if no server was chosen. A server that cannot be read
 * counts as listing `none`, with its error. Throws the first error if no server can be read.
 */
export async function readEveryServer<Listed>(
  cli: Cli,
  actor: Actor,
  flags: Flags,
  none: Listed,
  read: (actor: Actor) => Promise<Listed>,
): Promise<Group<Listed>[]> {
  const isOne = actor.kind === "agent" || (isChosen(cli, flags) && !flags.allServers);
  const known = isOne ? [] : knownServers(cli);
  const others = known.filter(({ name }) => name !== actor.server.name);
  if (others.length === 0) return [{ server: actor.server, ...(await read(actor)) }];
  const groups = await Promise.all([
    attempt(actor.server, none, () => read(actor)),
    ...others.map((server) =>
      attempt(server, none, async () => read(await asPerson(cli, { server: server.name }))),
    ),
  ]);
  const failed = groups.filter(({ cause }) => cause !== undefined);
  if (failed.length === groups.length) throw failed[0]!.cause;
  return groups.map(({ group }) => group);
}

/**
 * The servers that the text shows. A server where the person is a guest has no such list and is left out. If `--board`
 * names a board and some server lists something for it, the servers with empty lists are left out too.
 */
function groupsToShow<Listed>(
  groups: readonly Group<Listed>[],
  board: string | undefined,
  isEmpty: (listed: Listed) => boolean,
): readonly Group<Listed>[] {
  const asMember = groups.filter(({ error }) => error?.code !== "guest_not_allowed");
  const found = asMember.filter((group) => group.error || !isEmpty(group));
  return board !== undefined && found.length > 0 ? found : asMember;
}

async function attempt<Listed>(
  server: ServerRef,
  none: Listed,
  read: () => Promise<Listed>,
): Promise<{ group: Group<Listed>; cause?: unknown }> {
  try {
    return { group: { server, ...(await read()) } };
  } catch (cause) {
    return { group: { server, ...none, error: failureOf(cause) }, cause };
  }
}

/** Writes commands with the flags that lead to a server again, or to the agent that it was listed for. */
function typedFor(cli: Cli, actor: Actor, server: ServerRef, { as, board }: AgentFlags) {
  return actor.kind === "agent" ? typedWith(cli, { as, board }) : typedAt(cli, server);
}
