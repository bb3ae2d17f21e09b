import { asAgent, asPerson, isAgents, type Actor, type AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { failureOf, type Failure } from "../frame/output.ts";
import { defaultServer, knownServers, type ServerRef } from "../../client/machine/servers.ts";
import { atServer, typedWith } from "../frame/typed-again.ts";

/** The flag of a list that spans servers. */
export const allServersFlag = {
  allServers: {
    type: "boolean",
    description: "On every server known here, also where SERVICE_SERVER chooses one.",
  },
} as const;

interface Flags extends AgentFlags {
  readonly server?: string | undefined;
  readonly allServers: boolean;
}

/** What one server answered to a list, or why it could not be read. */
export type Group<Listed> = Listed & { readonly server: ServerRef; readonly error?: Failure };

/** Refuses what asks an agent for more than its server, and for one server and all of them. */
export function refuseServers(cli: Cli, flags: Flags): void {
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

/** The selected agent; else the person on the server that is listed first: the one chosen, the default, or the first that is known here. */
export async function firstActor(cli: Cli, flags: Flags): Promise<Actor> {
  if (isAgents(cli, flags)) return asAgent(cli, flags);
  const { server } = flags;
  const first = isChosen(cli, flags) ? undefined : (defaultServer(cli) ?? knownServers(cli)[0]);
  return asPerson(cli, { server: server ?? first?.name });
}

const isChosen = (cli: Cli, { server }: Flags): boolean =>
  Boolean(server ?? cli.env["SERVICE_SERVER"]);

/**
 * What each server lists, the first actor's first. Others are read too when none was chosen; one that cannot be read is
 * said to list nothing and why, unless none can be read.
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
 * The servers that a text shows. Where one has something for the board that was named, those without it say nothing; nor
 * does a server where the person is a guest, who has no such list there.
 */
export function tellingGroups<Listed>(
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

/** Commands with the flags that lead to a group's server again, or to the agent that it was listed for. */
export function typedFor(cli: Cli, actor: Actor, server: ServerRef, { as, board }: AgentFlags) {
  if (actor.kind === "agent") return typedWith(cli, { as, board });
  return (command: string) => cli.typed(`${command}${atServer(cli, server)}`);
}
