import { asAgentOrPerson, asPerson, type Actor } from "../acting.ts";
import { listBoards, type BoardLine } from "../board-list.ts";
import type { Cli } from "../cli.ts";
import { oneLine } from "../clean.ts";
import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { usageError } from "../errors.ts";
import { failureOf, type Failure } from "../output.ts";
import { knownServers, type ServerRef } from "../servers.ts";
import { bold } from "../style.ts";
import { atServer } from "../typed-again.ts";
import { columns, counted } from "../table.ts";

interface Group {
  readonly server: ServerRef;
  /** The person's handle there. */
  readonly person?: string;
  readonly boards: readonly BoardLine[];
  readonly error?: Failure;
}

export default defineCommand({
  acts: "either",
  args: {
    all: { type: "boolean", description: "Open boards that you are not on, too." },
    ...agentFlags,
    ...serverFlag,
  },
  details:
    "Yours, on every server this machine has a key for unless one is chosen. An agent sees its own board.",
  seeAlso: ["join", "board new", "pair"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    if (actor.kind === "agent" && args.all)
      throw usageError("An agent sees its own board only.", "Leave out `--all`.");
    const groups = await groupsOf(cli, actor, args);
    const [primary] = groups;
    return {
      json: {
        ...primary,
        as: actor.kind === "agent" ? actor.seat.name : null,
        all: args.all,
        ...(groups.length > 1 && { servers: groups }),
      },
      text: groups.map((group) => groupText(cli, group, args.all)).join("\n\n"),
    };
  },
});

interface Chosen {
  readonly all: boolean;
  readonly server?: string | undefined;
}

/** The chosen server first. Others are read too when none was chosen; one that cannot be read is said to be so. */
async function groupsOf(cli: Cli, actor: Actor, chosen: Chosen): Promise<Group[]> {
  const named = chosen.server ?? cli.env["SERVICE_SERVER"];
  const known = named || actor.kind === "agent" ? [] : knownServers(cli);
  const others = known.filter(({ name }) => name !== actor.server.name);
  if (others.length === 0) return [await readGroup(cli, actor, chosen.all)];
  const groups = await Promise.all([
    attempt(actor.server, () => readGroup(cli, actor, chosen.all)),
    ...others.map((server) =>
      attempt(server, async () => {
        const person = await asPerson(cli, { server: server.name });
        return readGroup(cli, person, chosen.all);
      }),
    ),
  ]);
  const failed = groups.filter(({ cause }) => cause !== undefined);
  if (failed.length === groups.length) throw failed[0]!.cause;
  return groups.map(({ group }) => group);
}

async function readGroup(cli: Cli, actor: Actor, all: boolean): Promise<Group> {
  const { name, boards } = await listBoards(cli, actor, all);
  return { server: actor.server, ...(actor.kind === "person" && { person: name }), boards };
}

async function attempt(
  server: ServerRef,
  read: () => Promise<Group>,
): Promise<{ group: Group; cause?: unknown }> {
  try {
    return { group: await read() };
  } catch (cause) {
    return { group: { server, boards: [], error: failureOf(cause) }, cause };
  }
}

function groupText(cli: Cli, { server, boards, error }: Group, all: boolean): string {
  if (error) return `${server.url}: ${error.message}`;
  if (boards.length === 0)
    return `${all ? "No boards" : "You are on no board"} at ${server.url}. Make one: ${cli.typed(`pair${atServer(cli, server)}`)}`;
  const rows = boards.map((board) => [
    bold(board.name),
    board.on_board ? (board.role ?? "agent") : "not on it",
    board.unread ? `${board.unread} unread` : "",
    counted(board.people, "person", "people"),
    board.agents === null ? "" : counted(board.agents, "agent", "agents"),
    board.visibility === "private" ? "private" : "",
    oneLine(board.title ?? ""),
  ]);
  return `Boards at ${server.url}:\n${columns(rows)}`;
}
