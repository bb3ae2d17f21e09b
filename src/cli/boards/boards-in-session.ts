import type { NamedSession } from "../../client/machine/harness.ts";
import { knownServers, type ServerRef } from "../../client/machine/servers.ts";
import { askForSession, serverForSession } from "../acting/in-session.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { failureOf } from "../frame/output.ts";
import { typedWith } from "../frame/suggest.ts";
import { boardsText, type Boards } from "./listing-text.ts";
import type { Lifecycle, ListedBoard } from "./listing.ts";

interface Wanted {
  readonly lifecycle: Lifecycle;
  readonly server: string | undefined;
  readonly allServers: boolean;
}

type Group = Boards & { readonly server: ServerRef };

/** Lists all that the session's person can see, with the session's seats, by the machine's delegation. */
export async function listForSession(
  cli: Cli,
  session: NamedSession,
  { lifecycle, server: named, allServers }: Wanted,
): Promise<Answer> {
  const chosen = await serverForSession(cli, named);
  const others = allServers ? knownServers(cli).filter(({ name }) => name !== chosen.name) : [];
  const groups = [
    await listed(cli, session, chosen, lifecycle),
    ...(await Promise.all(others.map((server) => attempt(cli, session, server, lifecycle)))),
  ];
  const typed = typedWith(cli, {});
  return {
    json: {
      ...groups[0],
      ...(allServers && { servers: groups }),
      as: null,
      all: true,
      lifecycle,
      session: `${session.harness}:${session.session}`,
    },
    text: [
      ...groups.map((group) => boardsText(typed, group, { all: true, lifecycle })),
      ...(lifecycle === "active" && groups.some(hasFreeBoard)
        ? [`To take a seat on one of them: ${typed("join --board NAME")}`]
        : []),
    ].join("\n\n"),
  };
}

const hasFreeBoard = ({ boards }: Group): boolean => boards.some(({ seat }) => seat === null);

/** A server that cannot be read has no boards and says why. */
const attempt = (...[cli, session, server, lifecycle]: Parameters<typeof listed>) =>
  listed(cli, session, server, lifecycle).catch((error: unknown) => ({
    server,
    boards: [],
    hidden_boards: [],
    error: failureOf(error),
  }));

async function listed(
  cli: Cli,
  session: NamedSession,
  server: ServerRef,
  lifecycle: Lifecycle,
): Promise<Group> {
  const all = await everyBoard(cli, session, server);
  const boards = all.filter((board) => board.lifecycle === lifecycle);
  const archived = all.filter((board) => board.lifecycle === "archived");
  return {
    server,
    boards: boards.map(rowOf),
    archived_count: archived.length,
    hidden_boards: [],
  };
}

async function everyBoard(cli: Cli, session: NamedSession, server: ServerRef) {
  const all = [];
  let after: string | null | undefined;
  do {
    const page = await askForSession(cli, session, {
      op: "boards",
      server: server.name,
      lifecycle: "all",
      ...(after && { after }),
    });
    all.push(...(page.boards ?? []));
    after = page.next;
  } while (after);
  return all;
}

type Listed = Awaited<ReturnType<typeof everyBoard>>[number];

const rowOf = (board: Listed): ListedBoard => ({
  name: board.name,
  title: board.title,
  visibility: board.visibility,
  lifecycle: board.lifecycle,
  on_board: board.on_board,
  role: null,
  people: board.people_count ?? 0,
  agents: board.agent_count ?? null,
  // The number is the person's, and the session has its own.
  unread: null,
  default: false,
  seat: board.seat?.name ?? null,
});
