import type { BoardView, Member } from "../../core/boards/board.ts";
import { session } from "../../core/connection/session.ts";

/** Who the reader is on a board, and who else is there. */
export interface Standing {
  readonly view: BoardView;
  readonly board: string;
  readonly people: readonly Member[];
  readonly agents: readonly Member[];
  /** The reader's own membership. Undefined while it is not known. */
  readonly me: Member | undefined;
  readonly isOwner: boolean;
  readonly isGuest: boolean;
  /** Whether nothing can be written to the board. */
  readonly isArchived: boolean;
}

/** Where the person who is signed in stands on a board. */
export function standingOn(view: BoardView): Standing {
  const { person } = session.value!;
  const active = view.members.value.filter(({ status }) => status === "active");
  const people = active.filter(({ kind }) => kind === "human");
  const me = people.find(({ name }) => name === person.handle);
  return {
    view,
    board: view.name,
    people,
    me,
    agents: active.filter(({ kind }) => kind === "agent"),
    isOwner: me?.access === "admin",
    isGuest: person.server_role === "guest",
    isArchived: view.info.value?.lifecycle === "archived",
  };
}

/** Whether the reader may add people and agents: guests add nobody, and nobody is added to an archived board. */
export const mayAddTo = ({ me, isGuest, isArchived }: Standing): boolean =>
  me !== undefined && !isGuest && !isArchived;

/** Whether an agent is the reader's own. */
export const isMine = (agent: Pick<Member, "owner_id">): boolean =>
  agent.owner_id === session.value?.person.id;

/** The agents of a person, in the order in which they joined. */
export const agentsOf = (
  { agents }: Pick<Standing, "agents">,
  { name }: Pick<Member, "name">,
): readonly Member[] => agents.filter(({ owner }) => owner === name);

/** The owners of the board. */
export const ownersOf = ({ people }: Pick<Standing, "people">): readonly Member[] =>
  people.filter(({ access }) => access === "admin");
