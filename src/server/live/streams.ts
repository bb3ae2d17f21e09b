import { attentionOf } from "../attention/attention.ts";
import type { Db, ReadTx } from "../../db/engine/database.ts";
import type { Presented } from "../access/identify.ts";
import { concernedBy, isEmpty, noChanges, note, type Changes } from "./changes.ts";
import { createFollowers, type Follower, type Followers, type Sink } from "./followers.ts";
import { newBoards, newsFor, openings, sharedNewsOf } from "./news.ts";
import { attentionEvent, feedAttention } from "./attention-feed.ts";
import type { Hub } from "./hub.ts";
import { admitToStream, stillAdmitted } from "./stream-admission.ts";
import { helloEvent } from "./stream-events.ts";
import { checkAtEnd, keepAlive } from "./stream-timers.ts";

/** The open streams of a server. */
export interface Streams {
  /** Admits a credential, sends `hello` and the heads of its boards, and follows these. Returns the function that closes the stream. */
  open(presented: Presented, sink: Sink): () => void;
  readonly count: number;
  /** Ends every stream. */
  endAll(): void;
}

const encoder = new TextEncoder();

/**
 * Makes the streams of a server. Each commit adds its changes by board and kind. The next turn of the event loop
 * reads each change once, in one transaction, for all followers that it concerns. `onFault` gets errors of that reading. The
 * streams concerned are broken off, and their readers start again.
 */
export function createStreams(
  db: Db,
  hub: Hub,
  clock: () => Date,
  onFault: (error: Error) => void,
): Streams {
  const followers = createFollowers();
  tellOfCommits(db, followers, onFault);
  const stopKeepalive = keepAlive(followers);

  function followerOf(tx: ReadTx, presented: Presented): Follower {
    const { caller } = admitToStream(tx, "stream", presented);
    const known = followers.of(presented);
    if (known) return known;
    const follower = followers.add(presented, caller);
    checkAtEnd(clock, follower, caller, () => {
      const still = db.read((now) => stillAdmitted(now, presented));
      if (!still) followers.end(follower);
      return still;
    });
    return follower;
  }

  return {
    get count() {
      return followers.all().reduce((sum, { sinks }) => sum + sinks.length, 0);
    },
    open(presented, sink) {
      const { follower, untold, text, attention, now } = db.read((tx) => {
        const follower = followerOf(tx, presented);
        const attention = attentionOf(tx, admitToStream(tx, "stream", presented).caller);
        const untold = newBoards(tx, followers, follower);
        // All boards are new to the first stream of a follower.
        const boards = follower.sinks.length ? openings(tx, follower.personRow) : untold;
        const text = helloEvent(tx) + boards + attentionEvent(attention);
        return { follower, untold, text, attention, now: tx.now };
      });
      const others = follower.sinks;
      follower.sinks = [...others, sink];
      sink.send(encoder.encode(text));
      if (others.length === 0)
        feedAttention(db, hub, follower, { attention, now }, (event) =>
          followers.send(follower, encoder.encode(event)),
        ).catch((error: Error) => {
          onFault(error);
          followers.end(follower);
        });
      // Boards that are new to the follower's other streams go to them now, because they count as shown from here on.
      if (untold) followers.send(follower, encoder.encode(untold), others);
      return () => followers.drop(follower, sink);
    },
    endAll() {
      stopKeepalive();
      for (const follower of followers.all()) followers.end(follower);
    },
  };
}

/** Sends followers the changes of commits, at most once in a turn of the event loop. */
function tellOfCommits(db: Db, followers: Followers, onFault: (error: Error) => void): void {
  let changes = noChanges();
  let scheduled = false;

  db.onCommit((signals) => {
    if (followers.size === 0) return;
    for (const signal of signals) note(changes, signal, followers);
    if (scheduled || isEmpty(changes)) return;
    scheduled = true;
    setImmediate(tell);
  });

  /** Sends the changes since the last turn to all followers that they concern. */
  function tell(): void {
    scheduled = false;
    const told = changes;
    changes = noChanges();
    const concerned = concernedBy(told, followers);
    if (concerned.size === 0) return;
    try {
      for (const { follower, text } of newsOf(told, [...concerned]))
        if (text === null) followers.end(follower);
        else if (text) followers.send(follower, encoder.encode(text));
    } catch (error) {
      onFault(error as Error);
      for (const follower of concerned) followers.end(follower);
    }
  }

  /** The news for each follower; null for one whose credential does not work any more. */
  const newsOf = (told: Changes, concerned: readonly Follower[]) =>
    db.read((tx) => {
      const shared = sharedNewsOf(tx, told);
      return concerned.map((follower) => {
        const works = stillAdmitted(tx, follower.presented) !== null;
        return { follower, text: works ? newsFor(tx, followers, follower, told, shared) : null };
      });
    });
}
