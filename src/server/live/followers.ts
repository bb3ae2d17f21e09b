import type { BoardRow } from "../../db/boards.ts";
import type { Caller, Presented } from "../access/identify.ts";

/** One open stream: takes bytes, and can be ended. `send` is false when its reader has fallen too far behind. */
export interface Sink {
  send(bytes: Uint8Array): boolean;
  end(): void;
}

/** An open stream as its adapter sees it. */
export interface OpenStream {
  /** Called when the client has gone. */
  close(): void;
  /** Called whenever the reader has taken everything that was sent and wants more. */
  wanted?(): void;
}

/** One credential with all of its open streams. It is read and admitted once for all of them. */
export interface Follower<S extends Sink = Sink> {
  readonly presented: Presented;
  readonly personRow: number;
  readonly keyRow: number;
  readonly sessionRow: number | null;
  /** The agent's seat; null for a person. */
  readonly memberRow: number | null;
  readonly sinks: Set<S>;
  /** The boards that its streams show: ids by row. */
  readonly boards: Map<number, string>;
  /** The timer that checks the credential at the moment when it would end. */
  expiry: Timer | undefined;
  /** Aborts when its last stream has ended. */
  readonly over: AbortController;
}

/** The registry of followers, by credential, board, person and seat. */
export interface Followers<S extends Sink = Sink> {
  readonly size: number;
  /** All followers, as a copy: followers may come and go while it is read. */
  all(): Follower<S>[];
  of(presented: Presented): Follower<S> | undefined;
  onBoard(boardRow: number): Iterable<Follower<S>>;
  ofPerson(personRow: number): Iterable<Follower<S>>;
  ofSeat(memberRow: number): Iterable<Follower<S>>;
  isFollowed(boardRow: number): boolean;
  /** Adds a follower without boards and streams, for a credential that has none. */
  add(presented: Presented, caller: Caller): Follower<S>;
  follow(follower: Follower<S>, board: BoardRow): void;
  forget(follower: Follower<S>, boardRow: number): void;
  /** Sends bytes to the given streams of a follower, or to all of them. Drops streams whose reader is too far behind. */
  send(follower: Follower<S>, bytes: Uint8Array, sinks?: Iterable<S>): void;
  /** Ends one stream; the follower goes with its last one. */
  drop(follower: Follower<S>, sink: S): void;
  /** Ends all streams of a follower. */
  end(follower: Follower<S>): void;
}

/** Makes an empty registry of followers. */
export function createFollowers<S extends Sink = Sink>(): Followers<S> {
  const byCredential = new Map<string, Follower<S>>();
  const byBoard = createIndex<Follower<S>>();
  const byPerson = createIndex<Follower<S>>();
  const bySeat = createIndex<Follower<S>>();

  function forget(follower: Follower<S>, boardRow: number): void {
    follower.boards.delete(boardRow);
    byBoard.takeOut(boardRow, follower);
  }
  function drop(follower: Follower<S>, sink: S): void {
    if (!follower.sinks.delete(sink)) return;
    sink.end();
    if (follower.sinks.size > 0) return;
    clearTimeout(follower.expiry);
    follower.over.abort();
    byCredential.delete(follower.presented.digest);
    for (const row of [...follower.boards.keys()]) forget(follower, row);
    byPerson.takeOut(follower.personRow, follower);
    if (follower.memberRow !== null) bySeat.takeOut(follower.memberRow, follower);
  }

  return {
    get size() {
      return byCredential.size;
    },
    all: () => [...byCredential.values()],
    of: ({ digest }) => byCredential.get(digest),
    onBoard: byBoard.at,
    ofPerson: byPerson.at,
    ofSeat: bySeat.at,
    isFollowed: byBoard.has,
    add(presented, caller) {
      const follower = followerOf<S>(presented, caller);
      byCredential.set(presented.digest, follower);
      byPerson.putIn(follower.personRow, follower);
      if (follower.memberRow !== null) bySeat.putIn(follower.memberRow, follower);
      return follower;
    },
    follow(follower, board) {
      follower.boards.set(board.row, board.id);
      byBoard.putIn(board.row, follower);
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

const followerOf = <S extends Sink>(
  presented: Presented,
  { person, key, session, seat }: Caller,
): Follower<S> => ({
  presented,
  personRow: person.row,
  keyRow: key.row,
  sessionRow: session?.row ?? null,
  memberRow: seat?.row ?? null,
  sinks: new Set(),
  boards: new Map(),
  expiry: undefined,
  over: new AbortController(),
});

/** Sets of values by row. */
function createIndex<T>() {
  const sets = new Map<number, Set<T>>();
  return {
    at: (row: number): Iterable<T> => sets.get(row) ?? [],
    has: (row: number): boolean => sets.has(row),
    putIn(row: number, value: T): void {
      const here = sets.get(row);
      if (here) here.add(value);
      else sets.set(row, new Set([value]));
    },
    takeOut(row: number, value: T): void {
      const here = sets.get(row);
      here?.delete(value);
      if (here?.size === 0) sets.delete(row);
    },
  };
}
