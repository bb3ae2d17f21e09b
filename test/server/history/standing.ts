import { boardCalled, memberOf, type Actor, type Scene } from "./scene.ts";
import type { BoardModel, MemberModel } from "./model.ts";

/** Where somebody stands on a board, or the code of the refusal that they get there. */
export type Standing =
  | { readonly refusal: string; readonly me: null }
  | { readonly refusal: null; readonly me: MemberModel };

const refused = (refusal: string): Standing => ({ refusal, me: null });

/** What the contract says of a request to a board, before the rule of its operation: who sees it, who is on it, what guests may. */
export function standingOn(
  scene: Scene,
  board: BoardModel,
  actor: Actor,
  { guests = false }: { guests?: boolean } = {},
): Standing {
  const { seat, guest } = actor;
  const me = memberOf(board, actor);
  // An ended seat is told so wherever it asks.
  if (seat && !memberOf(boardCalled(scene, seat.board), actor)) return refused("agent_removed");
  if (seat && !me) return refused("board_not_found");
  if (!me && (guest || board.private)) return refused("board_not_found");
  if (guest && !guests) return refused("guest_not_allowed");
  return me ? { refusal: null, me } : refused("not_on_board");
}
