import type { OutputOf } from "../../contract/index.ts";
import type { Actor } from "../acting/acting.ts";
import { shortList } from "../connection/short-list.ts";

/** An invitation to a server, as the server lists it. */
export type Invitation = OutputOf<"listServerInvites">["invites"][number];
/** A join code, as the server lists it. */
export type HandedOutCode = OutputOf<"listJoinCodes">["join_codes"][number];

/** The invitations and join codes of one server. */
export interface HandedOut {
  readonly invites: readonly Invitation[];
  readonly join_codes: readonly HandedOutCode[];
}

/** What a list of them has: those that still work, or with `all` every one; for every board or for one. */
export interface HandedOutScope {
  readonly all: boolean;
  readonly board?: string | undefined;
}

/** Lists the invitations and join codes that a person made, and others' join codes for boards that the person owns. */
export async function handedOut(
  { api }: Actor,
  { all, board }: HandedOutScope,
): Promise<HandedOut> {
  const [{ invites }, names] = await Promise.all([
    api.call("listServerInvites"),
    boardNames(api, board),
  ]);
  const codes = names.map((name) =>
    api.call("listJoinCodes", { params: { board: name }, query: { ended: all } }),
  );
  return {
    invites: invites.filter(
      (one) =>
        (all || one.state === "active") && (board === undefined || boardsOf(one).includes(board)),
    ),
    join_codes: (await Promise.all(codes)).flatMap(({ join_codes }) => join_codes),
  };
}

/** The boards that a person is on, archived ones too; with a name, that board alone. */
export async function boardNames(api: Actor["api"], named?: string): Promise<string[]> {
  const { boards } = await shortList(api, { lifecycle: "all" });
  return boards.map(({ name }) => name).filter((name) => named === undefined || name === named);
}

/** The names of the boards that an invitation brings its person onto. */
export const boardsOf = ({ display }: Invitation): string[] =>
  (display?.boards ?? []).map(({ name }) => name);
