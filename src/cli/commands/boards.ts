import {
  asAgent,
  asPerson,
  isAgents,
  type Actor,
  type AgentFlags,
  type Person,
} from "../acting.ts";
import { listBoards, type BoardScope } from "../board-list.ts";
import type { Cli } from "../cli.ts";
import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { usageError } from "../errors.ts";
import { failureOf } from "../output.ts";
import { boardsText, type BoardGroup } from "../render/boards.ts";
import { defaultServer, knownServers, type ServerRef } from "../servers.ts";
import { atServer, typedWith } from "../typed-again.ts";

export default defineCommand({
  acts: "either",
  args: {
    all: {
      type: "boolean",
      description: "Open boards that you are not on, too; for an admin also private ones.",
    },
    archived: { type: "boolean", description: "The archived boards instead." },
    allServers: {
      type: "boolean",
      description: "On every server known here, also where SERVICE_SERVER chooses one.",
    },
    ...agentFlags,
    ...serverFlag,
  },
  details:
    "Yours, on every server this machine has a key for unless one is chosen. An agent sees its own board. Private boards that an admin is not on are shown by their id alone.",
  seeAlso: ["join", "board new", "board archive", "board restore"],
  async run({ args, data: cli }) {
    refuseMixed(cli, args);
    const actor = isAgents(cli, args) ? asAgent(cli, args) : await firstPerson(cli, args.server);
    const lifecycle = args.archived ? "archived" : "active";
    const scope = { all: args.all, lifecycle } as const;
    const chosen = args.server ?? cli.env["SERVICE_SERVER"];
    const isOne = actor.kind === "agent" || (Boolean(chosen) && !args.allServers);
    const groups = await groupsOf(cli, actor, scope, isOne);
    const [primary] = groups;
    return {
      json: {
        ...primary,
        as: actor.kind === "agent" ? actor.seat.name : null,
        all: args.all,
        lifecycle,
        ...((groups.length > 1 || args.allServers) && { servers: groups }),
      },
      text: groups
        .map((group) => boardsText(typedFor(cli, actor, group, args), group, scope))
        .join("\n\n"),
    };
  },
});

interface Flags extends AgentFlags {
  readonly server?: string | undefined;
  readonly all: boolean;
  readonly allServers: boolean;
}

/** Refuses what asks for more than there is: an agent's other boards, or the rest of one server. */
function refuseMixed(cli: Cli, flags: Flags): void {
  const { server, all, allServers } = flags;
  if (isAgents(cli, flags)) {
    if (all || allServers)
      throw usageError(
        "An agent sees its own board only.",
        `Leave out \`${all ? "--all" : "--all-servers"}\`.`,
      );
    if (server)
      throw usageError("An agent acts on the server of its seat.", "Leave out `--server`.");
  }
  if (server && allServers)
    throw usageError(
      "One server is chosen, and all are asked for.",
      "Leave out one of both flags.",
    );
}

/** The person on the server that is listed first: the one chosen, the default, or the first that is known here. */
function firstPerson(cli: Cli, server: string | undefined): Promise<Person> {
  const isChosen = server !== undefined || cli.env["SERVICE_SERVER"];
  const first = isChosen ? undefined : (defaultServer(cli) ?? knownServers(cli)[0])?.name;
  return asPerson(cli, { server: server ?? first });
}

/** Commands with the flags that lead to a group's server again, or to the agent whose board it shows. */
function typedFor(cli: Cli, actor: Actor, { server }: BoardGroup, { as, board }: AgentFlags) {
  if (actor.kind === "agent") return typedWith(cli, { as, board });
  return (command: string) => cli.typed(`${command}${atServer(cli, server)}`);
}

/** The chosen server first. Others are read too when none was chosen; one that cannot be read is said to be so. */
async function groupsOf(
  cli: Cli,
  actor: Actor,
  scope: BoardScope,
  isOne: boolean,
): Promise<BoardGroup[]> {
  const known = isOne ? [] : knownServers(cli);
  const others = known.filter(({ name }) => name !== actor.server.name);
  if (others.length === 0) return [await readGroup(cli, actor, scope)];
  const groups = await Promise.all([
    attempt(actor.server, () => readGroup(cli, actor, scope)),
    ...others.map((server) =>
      attempt(server, async () => {
        const person = await asPerson(cli, { server: server.name });
        return readGroup(cli, person, scope);
      }),
    ),
  ]);
  const failed = groups.filter(({ cause }) => cause !== undefined);
  if (failed.length === groups.length) throw failed[0]!.cause;
  return groups.map(({ group }) => group);
}

async function readGroup(cli: Cli, actor: Actor, scope: BoardScope): Promise<BoardGroup> {
  const { name, ...listed } = await listBoards(cli, actor, scope);
  return { server: actor.server, ...(actor.kind === "person" && { person: name }), ...listed };
}

async function attempt(
  server: ServerRef,
  read: () => Promise<BoardGroup>,
): Promise<{ group: BoardGroup; cause?: unknown }> {
  try {
    return { group: await read() };
  } catch (cause) {
    const none = { boards: [], hidden_boards: [] };
    return { group: { server, ...none, error: failureOf(cause) }, cause };
  }
}
