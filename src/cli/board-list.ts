import type { Actor } from "./acting.ts";
import type { Cli } from "./cli.ts";

/** A board in a list. Counts that the caller may not know are null. */
export interface BoardLine {
  readonly name: string;
  readonly title: string | null;
  readonly visibility: "open" | "private";
  readonly on_board: boolean;
  readonly role: "owner" | "member" | null;
  readonly people: number;
  readonly agents: number | null;
  readonly unread: number | null;
  /** Whether commands act on it when no board is named. */
  readonly default: boolean;
}

/** The boards that a caller sees, each with its size, and the caller's name. */
export async function listBoards(cli: Cli, actor: Actor, all: boolean) {
  const { boards } = await actor.api.call("listBoards", { query: { all } });
  const { name: ownName } = await actor.api.call("getMe");
  const own = boards.filter(({ on_board }) => on_board);
  const named = cli.env["SERVICE_BOARD"];
  const lines = boards.map(
    async ({ name, title, visibility, on_board, unread }): Promise<BoardLine> => ({
      name,
      title,
      visibility,
      on_board,
      ...(on_board
        ? await sizeOf(actor, name, ownName)
        : { people: await peopleOf(actor, name), agents: null, role: null }),
      unread: unread ?? null,
      default: named ? name === named : on_board && own.length === 1,
    }),
  );
  return { name: ownName, boards: await Promise.all(lines) };
}

async function sizeOf(actor: Actor, board: string, ownName: string) {
  const { members } = await actor.api.call("listMembers", { params: { board } });
  const people = members.filter(({ kind }) => kind === "human");
  const access = people.find(({ name, owner }) => (owner ?? name) === ownName)?.access;
  return {
    people: people.length,
    agents: members.length - people.length,
    role: access ? (access === "admin" ? ("owner" as const) : ("member" as const)) : null,
  };
}

const peopleOf = async (actor: Actor, board: string): Promise<number> =>
  (await actor.api.call("listPeople", { params: { board } })).people.length;
