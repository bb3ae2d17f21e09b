import type { BoardRow } from "../../db/boards.ts";
import type { Caller, Presented } from "../access/identify.ts";

/** One open stream: takes bytes, and can be ended. `send` is false when its reader has fallen too far behind. */
export interface Sink {
  send(bytes: Uint8Array): boolean;
  end(): void;
}

/** One credential with all of its open streams. It is read and admitted once for all of them. */
export interface Follower {
  readonly presented: Presented;
  readonly personRow: number;
  readonly keyRow: number;
  readonly sessionRow: number | null;
  readonly sinks: Set<Sink>;
  /** The boards that its streams show: ids by row. */
  readonly boards: Map<number, string>;
  /** The timer that checks the credential at the moment when it would end. */
  expiry: Timer | undefined;
  /** Aborts when its last stream has ended. */
  readonly over: AbortController;
}

/** The registry of followers, by credential, board and person. */
export interface Followers {
  readonly size: number;
  /** All followers, as a copy: followers may come and go while it is read. */
  all(): Follower[];
  of(presented: Presented): Follower | undefined;
  onBoard(boardRow: number): Iterable<Follower>;
  ofPerson(personRow: number): Iterable<Follower>;
  isFollowed(boardRow: number): boolean;
  /** Adds a follower without boards and streams, for a credential that has none. */
  add(presented: Presented, caller: Caller): Follower;
  follow(follower: Follower, board: BoardRow): void;
  forget(follower: Follower, boardRow: number): void;
  /** Sends bytes to the given streams of a follower, or to all of them. Drops streams whose reader is too far behind. */
  send(follower: Follower, bytes: Uint8Array, sinks?: Iterable<Sink>): void;
  /** Ends one stream; the follower goes with its last one. */
  drop(follower: Follower, sink: Sink): void;
  /** Ends all streams of a follower. */
  end(follower: Follower): void;
}

/** Makes an empty registry of followers. */
export function createFollowers(): Followers {
  const byCredential = new Map<string, Follower>();
  const byBoard = new Map<number, Set<Follower>>();
  const byPerson = new Map<number, Set<Follower>>();

  function forget(follower: Follower, boardRow: number): void {
    follower.boards.delete(boardRow);
    takeOut(byBoard, boardRow, follower);
  }
  function drop(follower: Follower, sink: Sink): void {
    if (!follower.sinks.delete(sink)) return;
    sink.end();
    if (follower.sinks.size > 0) return;
    clearTimeout(follower.expiry);
    follower.over.abort();
    byCredential.delete(follower.presented.digest);
    for (const row of [...follower.boards.keys()]) forget(follower, row);
    takeOut(byPerson, follower.personRow, follower);
  }

  return {
    get size() {
      return byCredential.size;
    },
    all: () => [...byCredential.values()],
    of: ({ digest }) => byCredential.get(digest),
    onBoard: (boardRow) => byBoard.get(boardRow) ?? [],
    ofPerson: (personRow) => byPerson.get(personRow) ?? [],
    isFollowed: (boardRow) => byBoard.has(boardRow),
    add(presented, caller) {
      const follower = followerOf(presented, caller);
      byCredential.set(presented.digest, follower);
      putIn(byPerson, follower.personRow, follower);
      return follower;
    },
    follow(follower, board) {
      follower.boards.set(board.row, board.id);
      putIn(byBoard, board.row, follower);
    },
    forget,
    send(follower, bytes, sinks = follower.sinks) {
      for (const sink of [...sinks]) if (!sink.send(bytes)) drop(follower, sink);
    },
    drop,
    end(follower) {
      for (const sink of [...follower.sinks]) drop(follower, sink);
    },
  };
}

const followerOf = (presented: Presented, { person, key, session }: Caller): Follower => ({
  presented,
  personRow: person.row,
  keyRow: key.row,
  sessionRow: session?.row ?? null,
  sinks: new Set(),
  boards: new Map(),
  expiry: undefined,
  over: new AbortController(),
});

function putIn(index: Map<number, Set<Follower>>, row: number, follower: Follower): void {
  const here = index.get(row);
  if (here) here.add(follower);
  else index.set(row, new Set([follower]));
}
function takeOut(index: Map<number, Set<Follower>>, row: number, follower: Follower): void {
  const here = index.get(row);
  here?.delete(follower);
  if (here?.size === 0) index.delete(row);
}
