import type { Signal } from "../../db/engine/signals.ts";
import type { Follower, Followers } from "./followers.ts";

/** The changes on one board. */
export interface BoardChange {
  head: boolean;
  unread: boolean;
  membership: boolean;
  /** Rows of the agents whose presence changed. */
  readonly presences: Set<number>;
  /** Rows of the members whose read position moved. */
  readonly positions: Set<number>;
}

/** The changes of all commits since the followers last got news. */
export interface Changes {
  /** By the row of the board. Boards that nobody follows are not noted. */
  readonly boards: Map<number, BoardChange>;
  /** Rows of the people who came onto a board or left one. */
  readonly people: Set<number>;
  /** Keys and browser sessions that have ended, by row. */
  readonly ended: Set<`${"key" | "session"} ${number | null}`>;
}

/** No changes yet. */
export const noChanges = (): Changes => ({
  boards: new Map(),
  people: new Set(),
  ended: new Set(),
});

/** Whether there are no changes. */
export const isEmpty = ({ boards, people, ended }: Changes): boolean =>
  boards.size === 0 && people.size === 0 && ended.size === 0;

/** Adds the changes of a commit that concern a follower. */
export function note(changes: Changes, signal: Signal, followers: Followers): void {
  if (signal.about === "key-ended") changes.ended.add(`key ${signal.keyRow}`);
  if (signal.about === "session-ended") changes.ended.add(`session ${signal.sessionRow}`);
  if (signal.about === "membership") changes.people.add(signal.personRow);
  if (!("boardRow" in signal) || !followers.isFollowed(signal.boardRow)) return;
  const board = changes.boards.get(signal.boardRow) ?? unchanged();
  if (signal.about === "head") board.head = true;
  if (signal.about === "message") board.unread = true;
  if (signal.about === "membership") board.membership = true;
  if (signal.about === "presence") board.presences.add(signal.memberRow);
  if (signal.about === "position") board.positions.add(signal.memberRow);
  changes.boards.set(signal.boardRow, board);
}

const unchanged = (): BoardChange => ({
  head: false,
  unread: false,
  membership: false,
  presences: new Set(),
  positions: new Set(),
});

/** The followers whom changes concern. */
export function concernedBy(
  { boards, people, ended }: Changes,
  followers: Followers,
): ReadonlySet<Follower> {
  const concerned = new Set<Follower>();
  for (const row of boards.keys()) for (const each of followers.onBoard(row)) concerned.add(each);
  for (const row of people) for (const each of followers.ofPerson(row)) concerned.add(each);
  if (ended.size)
    for (const each of followers.all())
      if (ended.has(`key ${each.keyRow}`) || ended.has(`session ${each.sessionRow}`))
        concerned.add(each);
  return concerned;
}
