import { isAgents, type Actor, type AgentFlags } from "../acting/acting.ts";
import { listBoards, type BoardScope } from "./board-list.ts";
import type { Cli } from "../frame/cli.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import {
  allServersFlag,
  firstActor,
  readEveryServer,
  refuseServers,
  typedFor,
} from "../connection/every-server.ts";
import { boardsText, type Boards } from "./board-text.ts";

export default defineCommand({
  summary: "List boards",
  acts: "either",
  args: {
    all: {
      type: "boolean",
      description: "Open boards that you are not on, too; for an admin also private ones.",
    },
    archived: { type: "boolean", description: "The archived boards instead." },
    ...allServersFlag,
    ...agentFlags,
    ...serverFlag,
  },
  details:
    "Yours, on every server this machine has a key for unless one is chosen. An agent sees its own board. Private boards that an admin is not on are shown by their id alone.",
  seeAlso: ["join", "board new", "board archive", "board restore"],
  async run({ args, data: cli }) {
    refuseAll(cli, args);
    refuseServers(cli, args);
    const actor = await firstActor(cli, args);
    const lifecycle = args.archived ? "archived" : "active";
    const scope = { all: args.all, lifecycle } as const;
    const groups = await readEveryServer<Boards>(
      ...([cli, actor, args, { boards: [], hidden_boards: [] }] as const),
      (each) => readBoards(cli, each, scope),
    );
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
        .map((group) => boardsText(typedFor(cli, actor, group.server, args), group, scope))
        .join("\n\n"),
    };
  },
});

interface Flags extends AgentFlags {
  readonly all: boolean;
}

/** Refuses an agent what it does not see: other boards than its own. */
function refuseAll(cli: Cli, flags: Flags): void {
  if (flags.all && isAgents(cli, flags))
    throw usageError("An agent sees its own board only.", "Leave out `--all`.");
}

async function readBoards(cli: Cli, actor: Actor, scope: BoardScope) {
  const { name, ...listed } = await listBoards(cli, actor, scope);
  return { ...(actor.kind === "person" && { person: name }), ...listed };
}
