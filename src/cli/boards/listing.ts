import type { OutputOf } from "../../contract/index.ts";
import type { Actor } from "../acting/acting.ts";
import { shortList } from "../connection/short-list.ts";
import type { Cli } from "../frame/cli.ts";

export type Lifecycle = "active" | "archived";
/** A private board that a server admin is not on. */
export type HiddenBoard = NonNullable<OutputOf<"listBoards">["hidden_boards"]>[number];

/** Which boards a list shows. `all` adds the open boards that the person could join. */
export interface BoardScope {
  readonly all: boolean;
  readonly lifecycle: Lifecycle;
}

/** A board in a list. A count that the caller may not see is null. */
export type ListedBoard = Awaited<ReturnType<typeof listBoards>>["boards"][number] & {
  /** The name of the session's agent there, or null. Left out outside of a session. */
  readonly seat?: string | null;
};

/** The boards that a caller sees, each with its size, how many are archived, and the caller's name. */
export async function listBoards(cli: Cli, actor: Actor, scope: BoardScope) {
  const listed = await shortList(actor.api, { all: scope.all, lifecycle: "all" });
  const { name: ownName, server_role } = await actor.api.call("getMe");
  const isWanted = ({ lifecycle }: { lifecycle: Lifecycle }) => lifecycle === scope.lifecycle;
  const wanted = listed.boards.filter(isWanted);
  const own = wanted.filter(({ on_board }) => on_board);
  const boards = [...own, ...wanted.filter(({ on_board }) => !on_board)];
  const named = cli.env["SERVICE_BOARD"];
  const only = scope.lifecycle === "active" && own.length === 1;
  const lines = boards.map(async (board) => {
    const { name, title, visibility, lifecycle, on_board, unread, moved_to } = board;
    return {
      name,
      title,
      visibility,
      lifecycle,
      on_board,
      ...(on_board
        ? await sizeOf(actor, name, ownName)
        : { people: await peopleOf(actor, name), agents: null, role: null }),
      unread: unread ?? null,
      // Whether commands act on it when no board is named.
      default: named ? name === named : on_board && only,
      ...(moved_to && { moved_to }),
    };
  });
  const guest = server_role === "guest" && { guest: true as const };
  return {
    name: ownName,
    ...guest,
    boards: await Promise.all(lines),
    archived_count: listed.boards.filter(({ lifecycle }) => lifecycle === "archived").length,
    hidden_boards: listed.hidden_boards.filter(isWanted),
  };
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
