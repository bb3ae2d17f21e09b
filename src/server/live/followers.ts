import type { BoardRow } from "../../db/boards.ts";
import type { Caller, Presented } from "../access/identify.ts";
import { createIndex } from "./index-by-key.ts";

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
  /** Its streams, mostly one: a list is replaced when one comes or goes. */
  sinks: readonly S[];
  /** The boards that its streams show: ids by row. The seats of a board share theirs. */
  readonly boards: Map<number, string>;
  /** The timer that checks the credential at the moment when it would end. */
  expiry: Timer | undefined;
  /** Aborts when its last stream has ended. Made when something waits for that. */
  over: AbortController | undefined;
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
  /** Adds a follower without streams for a credential that has none. It follows one board, or none yet. */
  add(presented: Presented, caller: Caller, board?: BoardRow): Follower<S>;
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
  const byBoard = createIndex<number, Follower<S>>();
  const byPerson = createIndex<number, Follower<S>>();
  const bySeat = createIndex<number, Follower<S>>();
  /** What followers share that follow one board alone: its id by its row. */
  const alone = new Map<number, Map<number, string>>();

  function forget(follower: Follower<S>, boardRow: number): void {
    follower.boards.delete(boardRow);
    byBoard.takeOut(boardRow, follower);
  }
  function drop(follower: Follower<S>, sink: S): void {
    if (!follower.sinks.includes(sink)) return;
    follower.sinks = follower.sinks.filter((one) => one !== sink);
    sink.end();
    if (follower.sinks.length > 0) return;
    clearTimeout(follower.expiry);
    follower.over?.abort();
    byCredential.delete(follower.presented.digest);
    for (const row of follower.boards.keys()) {
      byBoard.takeOut(row, follower);
      if (!byBoard.has(row)) alone.delete(row);
    }
    byPerson.takeOut(follower.personRow, follower);
    if (follower.memberRow !== null) bySeat.takeOut(follower.memberRow, follower);
  }

  function onlyBoard({ row, id }: BoardRow): Map<number, string> {
    const known = alone.get(row);
    if (known) return known;
    const made = new Map([[row, id]]);
    alone.set(row, made);
    return made;
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
    add(presented, caller, board) {
      const follower = followerOf<S>(presented, caller, board ? onlyBoard(board) : new Map());
      for (const row of follower.boards.keys()) byBoard.putIn(row, follower);
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
      for (const sink of sinks) if (!sink.send(bytes)) drop(follower, sink);
    },
    drop,
    end(follower) {
      for (const sink of follower.sinks) drop(follower, sink);
    },
  };
}

const followerOf = <S extends Sink>(
  presented: Presented,
  { person, key, session, seat }: Caller,
  boards: Map<number, string>,
): Follower<S> => ({
  presented,
  personRow: person.row,
  keyRow: key.row,
  sessionRow: session?.row ?? null,
  memberRow: seat?.row ?? null,
  sinks: [],
  boards,
  expiry: undefined,
  over: undefined,
});
