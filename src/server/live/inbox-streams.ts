import { Refusal } from "../../contract/refusal.ts";
import type { Db, ReadTx } from "../../db/engine/database.ts";
import type { HeldInbox } from "../../db/engine/held-inboxes.ts";
import type { Signal } from "../../db/engine/signals.ts";
import type { OnBoard } from "../access/visible-boards.ts";
import type { Caller, Presented } from "../access/identify.ts";
import { holdInbox } from "../agents/hold-inbox.ts";
import {
  createFollowers,
  type Follower,
  type Followers,
  type OpenStream,
  type Sink,
} from "./followers.ts";
import { endEvent, nextTurn, startOf, type Progress } from "./inbox-events.ts";
import { admitToStream } from "./stream-admission.ts";
import { checkAtEnd, keepAlive } from "./stream-timers.ts";

/** The open inbox streams of a server. */
export interface InboxStreams {
  /** Admits a seat and follows its inbox, from `after` or from its read position on. */
  open(presented: Presented, after: number | undefined, sink: Sink): OpenStream;
  readonly count: number;
  /** Ends every stream. */
  endAll(): void;
}

/** What the streams of a server share. */
interface Shared {
  readonly followers: Followers<Reading>;
  readonly tellSeats: (seats: readonly Seat[]) => void;
}

/**
 * One open stream of an inbox. What it sends is made when its reader wants it, so nothing waits in memory. One object without
 * closures, since there are very many.
 */
class Reading implements Sink, OpenStream, Progress {
  sent: number;
  told: Progress["told"] = null;
  /** Its reader has taken everything that was sent. */
  wants = false;
  /** There may be something to send. */
  due = true;
  /** How many checks in a row have found that the reader takes nothing. */
  idleChecks = 0;
  /** The agent's waiting by it, as long as it is open. */
  held: HeldInbox | undefined;
  readonly #shared: Shared;
  readonly #seat: Seat;
  readonly #sink: Sink;

  constructor(shared: Shared, seat: Seat, sink: Sink, start: number) {
    this.sent = start;
    this.#shared = shared;
    this.#seat = seat;
    this.#sink = sink;
  }
  // What its reader does not want now is left out: it is made anew when it does.
  send(bytes: Uint8Array): boolean {
    if (!this.wants) return true;
    this.wants = false;
    return this.#sink.send(bytes);
  }
  /** Sends the event that ends it, whether its reader wants it or not. */
  sayEnd(code: string): void {
    this.#sink.send(encoder.encode(endEvent(code)));
  }
  end(): void {
    this.held?.end();
    this.#sink.end();
  }
  close(): void {
    this.#shared.followers.drop(this.#seat, this);
  }
  wanted(): void {
    this.wants = true;
    this.idleChecks = 0;
    if (this.due && this.#seat.sinks.includes(this)) this.#shared.tellSeats([this.#seat]);
  }
}
type Seat = Follower<Reading>;

/** How long a reader may take nothing, and how often that is checked, in seconds. */
export const longestIdle = 60;
const checkSeconds = 5;

/** Most seats that are told in one turn of the event loop, so that requests are served in between. */
const mostAtOnce = 250;

const encoder = new TextEncoder();

/**
 * Makes the inbox streams of a server. A commit wakes the seats that it concerns, and the next turn of the event loop reads
 * for them. `onFault` gets errors of that reading. The streams concerned are broken off, and their readers start again.
 */
export function createInboxStreams(
  db: Db,
  clock: () => Date,
  onFault: (error: Error) => void,
): InboxStreams {
  const followers = createFollowers<Reading>();
  const tellSeats = (seats: readonly Seat[]) => tell(db, followers, seats, onFault);
  const shared = { followers, tellSeats };
  wakeByCommits(db, followers, tellSeats);
  const stopKeepalive = keepAlive(followers);
  const checking = setInterval(() => dropIdle(followers), checkSeconds * 1000);
  checking.unref();

  function seatOf(presented: Presented, { caller, board }: OnBoard): Seat {
    const known = followers.of(presented);
    if (known) return known;
    const seat = followers.add(presented, caller, board);
    checkAtEnd(clock, seat, caller, () => stillThere(seat));
    return seat;
  }
  /** The caller of a seat's streams. If the credential does not work any more, they end with its code. */
  function stillThere(seat: Seat): Caller | null {
    try {
      return db.read((tx) => admitToStream(tx, "streamInbox", seat.presented)).caller;
    } catch {
      tellSeats([seat]);
      followers.end(seat);
      return null;
    }
  }

  return {
    get count() {
      return followers.all().reduce((sum, { sinks }) => sum + sinks.length, 0);
    },
    open(presented, after, sink) {
      const { seat, reading, me } = db.read((tx) => {
        const standing = admitToStream(tx, "streamInbox", presented);
        const seat = seatOf(presented, standing);
        const reading = new Reading(shared, seat, sink, startOf(tx, standing, after));
        return { seat, reading, me: standing.me };
      });
      seat.sinks = [...seat.sinks, reading];
      reading.held = holdInbox(db, me);
      return reading;
    },
    endAll() {
      stopKeepalive();
      clearInterval(checking);
      for (const seat of followers.all()) followers.end(seat);
    },
  };
}

/** Ends the streams whose readers have taken nothing for too long. */
function dropIdle(followers: Followers<Reading>): void {
  for (const seat of followers.all())
    for (const reading of seat.sinks)
      if (!reading.wants && ++reading.idleChecks * checkSeconds >= longestIdle)
        followers.drop(seat, reading);
}

/** Wakes the seats that a commit concerns, at most once in a turn of the event loop. */
function wakeByCommits(
  db: Db,
  followers: Followers<Reading>,
  tellSeats: (seats: readonly Seat[]) => void,
): void {
  const awake = new Set<Seat>();
  let scheduled = false;
  const schedule = () => {
    if (scheduled || awake.size === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const seats: Seat[] = [];
      for (const seat of awake) {
        awake.delete(seat);
        // A seat's streams may have ended since, as all have when the server stops.
        if (seat.sinks.length > 0) seats.push(seat);
        if (seats.length === mostAtOnce) break;
      }
      if (seats.length > 0) tellSeats(seats);
      schedule();
    });
  };
  const wake = (seat: Seat) => {
    for (const reading of seat.sinks) reading.due = true;
    awake.add(seat);
  };
  db.onCommit((signals) => {
    if (followers.size === 0) return;
    for (const signal of signals) wakeConcerned(signal, followers, wake);
    schedule();
  });
}

/** Wakes the seats whose streams a change concerns. */
function wakeConcerned(
  signal: Signal,
  { onBoard, ofSeat, ofPerson, all }: Followers<Reading>,
  wake: (seat: Seat) => void,
): void {
  const wakeAll = (seats: Iterable<Seat>) => {
    for (const seat of seats) wake(seat);
  };
  switch (signal.about) {
    case "message":
      if (signal.reaches === null) return wakeAll(onBoard(signal.boardRow));
      for (const row of signal.reaches) wakeAll(ofSeat(row));
      return;
    case "board":
      return wakeAll(onBoard(signal.boardRow));
    case "position":
    case "delivery":
    case "seat-ended":
    case "token-replaced":
      return wakeAll(ofSeat(signal.memberRow));
    case "midturn":
      return wakeAll(ofPerson(signal.personRow));
    case "key-ended":
      for (const seat of all()) if (seat.keyRow === signal.keyRow) wake(seat);
  }
}

/** What one seat gets: its streams with what they send, the code that ends them, or the error that breaks them off. */
type Outcome = { readonly seat: Seat } & (
  | { readonly sends: readonly { reading: Reading; text: string; more: boolean }[] }
  | { readonly code: string }
  | { readonly fault: Error }
);

/** Reads what is due for seats, in one transaction, and sends it. */
function tell(
  db: Db,
  followers: Followers<Reading>,
  seats: readonly Seat[],
  onFault: (error: Error) => void,
): void {
  for (const outcome of outcomesOf(db, seats)) {
    const { seat } = outcome;
    if ("sends" in outcome) {
      for (const { reading, text, more } of outcome.sends) {
        reading.due = more;
        if (text) followers.send(seat, encoder.encode(text), [reading]);
      }
      continue;
    }
    if ("fault" in outcome) onFault(outcome.fault);
    else for (const reading of seat.sinks) reading.sayEnd(outcome.code);
    followers.end(seat);
  }
}

function outcomesOf(db: Db, seats: readonly Seat[]): readonly Outcome[] {
  try {
    return db.read((tx) => seats.map((seat) => outcomeOf(tx, seat)));
  } catch (error) {
    return seats.map((seat) => ({ seat, fault: error as Error }));
  }
}

/** Admits a seat again and reads what its streams send next. */
function outcomeOf(tx: ReadTx, seat: Seat): Outcome {
  try {
    const standing = admitToStream(tx, "streamInbox", seat.presented);
    const ready = seat.sinks.filter(({ due, wants }) => due && wants);
    return {
      seat,
      sends: ready.map((reading) => ({
        reading,
        ...nextTurn(tx, standing, reading),
      })),
    };
  } catch (error) {
    return error instanceof Refusal ? { seat, code: error.code } : { seat, fault: error as Error };
  }
}
