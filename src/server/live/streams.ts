import { operationNamed } from "../../contract/index.ts";
import { keepaliveSeconds } from "../../contract/stream.ts";
import { boardAt, boardsOfPerson, type BoardRow } from "../../db/boards.ts";
import type { Db, ReadTx } from "../../db/engine/database.ts";
import { activeMembership } from "../../db/members.ts";
import type { Signal } from "../../db/engine/signals.ts";
import { admit, endOf, type Caller, type Presented } from "../access.ts";
import { encode, headEvent, presenceEvent, readEvent, unreadEvent } from "./stream-events.ts";

/** One open stream: takes bytes, and can be ended. `send` is false when its reader has fallen too far behind. */
export interface Sink {
  send(bytes: Uint8Array): boolean;
  end(): void;
}

/** Everyone who follows boards. */
export interface Streams {
  /** Admits a credential, sends it the heads of its boards and follows them. Gives a function that stops. */
  open(presented: Presented, sink: Sink): () => void;
  readonly count: number;
  /** Ends every stream. */
  endAll(): void;
}

/** What one credential follows, for all the streams it has open: read and admitted once for all of them. */
interface Follower {
  readonly presented: Presented;
  readonly personRow: number;
  readonly keyRow: number;
  readonly sessionRow: number | null;
  readonly sinks: Set<Sink>;
  /** The boards shown, by row, with their ids. */
  readonly boards: Map<number, string>;
  expiry: Timer | undefined;
}

/** What a turn has to tell of a board. */
interface News {
  head: boolean;
  unread: boolean;
  membership: boolean;
  /** Rows of agents. */
  readonly presences: Set<number>;
  readonly positions: Set<number>;
}

const encoder = new TextEncoder();
const keepalive = encoder.encode(": keepalive\n\n");
const longestTimer = 2 ** 31 - 1;

/**
 * Makes the streams of a server. A commit is noted by board and by kind of change; the next turn of the event loop
 * reads each change once, in one transaction, for the followers that it concerns and for no others.
 */
export function createStreams(db: Db, clock: () => Date): Streams {
  const followers = new Map<string, Follower>();
  const ofBoard = new Map<number, Set<Follower>>();
  const ofPerson = new Map<number, Set<Follower>>();
  let news = new Map<number, News>();
  let comers = new Set<number>();
  /** Keys and browser sessions that have ended, by row. */
  let ended = new Set<`${"key" | "session"} ${number | null}`>();
  let scheduled = false;

  db.onCommit((signals) => {
    if (followers.size === 0) return;
    for (const signal of signals) note(signal);
    if (scheduled || (news.size === 0 && comers.size === 0 && ended.size === 0)) return;
    scheduled = true;
    setImmediate(tell);
  });

  function note(signal: Signal): void {
    if (signal.about === "key-ended") ended.add(`key ${signal.keyRow}`);
    if (signal.about === "session-ended") ended.add(`session ${signal.sessionRow}`);
    if (signal.about === "membership") comers.add(signal.personRow);
    if (!("boardRow" in signal)) return;
    if (!ofBoard.has(signal.boardRow)) return;
    const board = news.get(signal.boardRow) ?? freshNews();
    if (signal.about === "head") board.head = true;
    if (signal.about === "message") board.unread = true;
    if (signal.about === "membership") board.membership = true;
    if (signal.about === "presence") board.presences.add(signal.memberRow);
    if (signal.about === "position") board.positions.add(signal.memberRow);
    news.set(signal.boardRow, board);
  }

  /** Tells everybody concerned what happened since the last turn. */
  function tell(): void {
    scheduled = false;
    const [told, people, over] = [news, comers, ended];
    [news, comers, ended] = [new Map(), new Set(), new Set()];
    const concerned = new Set<Follower>();
    for (const row of told.keys()) for (const each of ofBoard.get(row) ?? []) concerned.add(each);
    for (const row of people) for (const each of ofPerson.get(row) ?? []) concerned.add(each);
    if (over.size)
      for (const each of followers.values())
        if (over.has(`key ${each.keyRow}`) || over.has(`session ${each.sessionRow}`))
          concerned.add(each);
    if (concerned.size === 0) return;
    const sends = db.read((tx) => {
      const shared = new Map([...told].map(([row, each]) => [row, sharedNews(tx, row, each)]));
      return [...concerned].map(
        (follower) => [follower, newsFor(tx, follower, told, shared, people)] as const,
      );
    });
    for (const [follower, text] of sends) {
      if (text === null) end(follower);
      else if (text) send(follower, text);
    }
  }

  /** The part of a board's news that is the same for everyone who follows it. */
  function sharedNews(
    tx: ReadTx,
    boardRow: number,
    told: News,
  ): { board: BoardRow; text: string } | null {
    const board = boardAt(tx, boardRow);
    if (!board) return null;
    const presences = [...told.presences].map((row) => presenceEvent(tx, board, row));
    return {
      board,
      text: (told.head ? headEvent(board) : "") + presences.join(""),
    };
  }

  /** What one follower is told; null when its credential does not work any more. */
  function newsFor(
    tx: ReadTx,
    follower: Follower,
    told: ReadonlyMap<number, News>,
    shared: ReadonlyMap<number, { board: BoardRow; text: string } | null>,
    comers: ReadonlySet<number>,
  ): string | null {
    const caller = admitted(tx, follower.presented);
    if (!caller) return null;
    let text = "";
    for (const [row, each] of told) {
      const boardId = follower.boards.get(row);
      if (boardId === undefined) continue;
      const common = shared.get(row);
      const me = common && activeMembership(tx, row, follower.personRow);
      if (!common || !me) {
        forget(follower, row);
        text += encode("board_unavailable", { board_id: boardId });
        continue;
      }
      text += common.text;
      for (const memberRow of each.positions)
        text += readEvent(tx, common.board, memberRow, follower.personRow);
      const returned = each.membership && comers.has(follower.personRow);
      if (each.unread || returned || each.positions.has(me.row))
        text += unreadEvent(tx, common.board, me.row);
    }
    // They begin with their head, so what this turn tells of them is said already.
    return comers.has(follower.personRow) ? text + newBoards(tx, follower) : text;
  }

  /** Boards that a follower's person has come onto since: shown as if the stream began with them. */
  function newBoards(tx: ReadTx, follower: Follower): string {
    let text = "";
    for (const board of boardsOfPerson(tx, follower.personRow)) {
      if (follower.boards.has(board.row)) continue;
      follow(follower, board);
      text += opening(tx, board, follower.personRow);
    }
    return text;
  }

  function follow(follower: Follower, board: BoardRow): void {
    follower.boards.set(board.row, board.id);
    const here = ofBoard.get(board.row);
    if (here) here.add(follower);
    else ofBoard.set(board.row, new Set([follower]));
  }
  function forget(follower: Follower, boardRow: number): void {
    follower.boards.delete(boardRow);
    const here = ofBoard.get(boardRow);
    here?.delete(follower);
    if (here?.size === 0) ofBoard.delete(boardRow);
  }

  function send(follower: Follower, text: string, sinks: Iterable<Sink> = follower.sinks): void {
    const bytes = encoder.encode(text);
    for (const sink of [...sinks]) if (!sink.send(bytes)) drop(follower, sink);
  }
  function drop(follower: Follower, sink: Sink): void {
    if (!follower.sinks.delete(sink)) return;
    sink.end();
    if (follower.sinks.size > 0) return;
    clearTimeout(follower.expiry);
    followers.delete(follower.presented.digest);
    for (const row of [...follower.boards.keys()]) forget(follower, row);
    const own = ofPerson.get(follower.personRow);
    own?.delete(follower);
    if (own?.size === 0) ofPerson.delete(follower.personRow);
  }
  function end(follower: Follower): void {
    for (const sink of [...follower.sinks]) drop(follower, sink);
  }

  /** Looks again at the moment when the credential's key would end: use may have moved it since. */
  function watchExpiry(follower: Follower, expiresAt: string | null): void {
    if (expiresAt === null) return;
    const left = Math.max(Date.parse(expiresAt) - clock().getTime(), 1);
    follower.expiry = setTimeout(
      () => {
        const caller = db.read((tx) => admitted(tx, follower.presented));
        if (caller) watchExpiry(follower, endOf(caller));
        else end(follower);
      },
      Math.min(left, longestTimer),
    );
    follower.expiry.unref();
  }

  function followerFor(presented: Presented, caller: Caller): Follower {
    const known = followers.get(presented.digest);
    if (known) return known;
    const follower: Follower = {
      presented,
      personRow: caller.person.row,
      keyRow: caller.key.row,
      sessionRow: caller.session?.row ?? null,
      sinks: new Set(),
      boards: new Map(),
      expiry: undefined,
    };
    followers.set(presented.digest, follower);
    const own = ofPerson.get(follower.personRow);
    if (own) own.add(follower);
    else ofPerson.set(follower.personRow, new Set([follower]));
    watchExpiry(follower, endOf(caller));
    return follower;
  }

  const beat = setInterval(() => {
    for (const follower of followers.values())
      for (const sink of [...follower.sinks]) if (!sink.send(keepalive)) drop(follower, sink);
  }, keepaliveSeconds * 1000);
  beat.unref();

  return {
    get count() {
      return [...followers.values()].reduce((sum, { sinks }) => sum + sinks.size, 0);
    },
    open(presented, sink) {
      const { follower, untold, text } = db.read((tx) => {
        const { caller } = admit(tx, operationNamed("stream"), presented, {}) as { caller: Caller };
        const follower = followerFor(presented, caller);
        const untold = newBoards(tx, follower);
        // The first stream of a follower is shown nothing but what is new to it.
        return { follower, untold, text: follower.sinks.size ? openings(tx, caller) : untold };
      });
      const others = [...follower.sinks];
      follower.sinks.add(sink);
      sink.send(text ? encoder.encode(text) : keepalive);
      // What is new to the others counts as shown from here on: nothing else would tell them.
      if (untold) send(follower, untold, others);
      return () => drop(follower, sink);
    },
    endAll() {
      clearInterval(beat);
      for (const follower of [...followers.values()]) end(follower);
    },
  };
}

const freshNews = (): News => ({
  head: false,
  unread: false,
  membership: false,
  presences: new Set(),
  positions: new Set(),
});

/** The caller of a stream's credential while it works, else null. */
function admitted(tx: ReadTx, presented: Presented): Caller | null {
  try {
    return (admit(tx, operationNamed("stream"), presented, {}) as { caller: Caller }).caller;
  } catch {
    return null;
  }
}

/** How a stream begins. */
const openings = (tx: ReadTx, { person }: Caller): string =>
  boardsOfPerson(tx, person.row)
    .map((board) => opening(tx, board, person.row))
    .join("");

/** How a stream begins with a board. */
const opening = (tx: ReadTx, board: BoardRow, personRow: number): string =>
  headEvent(board) + unreadEvent(tx, board, activeMembership(tx, board.row, personRow)!.row);
