import { sessionForSeat } from "../acting/in-session.ts";
import { asAgent, isAgents, type Actor } from "../acting/acting.ts";
import { listBoards, type BoardScope } from "./listing.ts";
import type { Cli } from "../frame/cli.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { sessionOf } from "../../client/machine/harness.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { allServersFlag, listEveryServer } from "../acting/every-server.ts";
import { boardsText, type Boards } from "./listing-text.ts";

export default defineCommand({
  summary: "List boards",
  acts: "either",
  args: {
    all: {
      type: "boolean",
      description: "Also open boards that you are not on; for an admin also private boards.",
    },
    archived: { type: "boolean", description: "List the archived boards instead." },
    ...allServersFlag,
    ...actorFlags,
  },
  details:
    "Lists your boards on every server that this machine has a key for, or on the server that you choose. An agent that is named sees its own board. A session sees what its person can see, with the seats that it holds. Private boards that an admin is not on are shown only by their ids.",
  seeAlso: ["join", "board new", "board archive", "board restore"],
  async run({ args, data: cli }) {
    const { all } = args;
    const isNamed = Boolean(args.as ?? cli.env["SERVICE_AGENT"]);
    const session =
      isNamed || sessionOf(cli.env) === null ? null : sessionForSeat(cli, "session_unknown");
    if (session !== null) {
      const { listForSession } = await import("./boards-in-session.ts");
      const lifecycle = args.archived ? "archived" : "active";
      return listForSession(cli, session, { ...args, lifecycle });
    }
    if (all && isAgents(cli, args))
      throw usageError("An agent sees its own board only.", "Leave out `--all`.");
    const lifecycle = args.archived ? "archived" : "active";
    const scope = { all, lifecycle } as const;
    const { json, text } = await listEveryServer<Boards>(cli, args, {
      none: { boards: [], hidden_boards: [] },
      read: (actor) => readBoards(cli, actor, scope),
      text: (typed, group) => boardsText(typed, group, scope),
    });
    const as = isAgents(cli, args) ? asAgent(cli, args).seat.name : null;
    return { json: { ...json, as, all, lifecycle }, text };
  },
});

async function readBoards(cli: Cli, actor: Actor, scope: BoardScope) {
  const { name, ...listed } = await listBoards(cli, actor, scope);
  return { ...(actor.kind === "person" && { person: name }), ...listed };
}
