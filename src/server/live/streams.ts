import type { Db, ReadTx } from "../../db/engine/database.ts";
import { endOf, type Presented } from "../access/identify.ts";
import { concernedBy, isEmpty, noChanges, note } from "./changes.ts";
import { createFollowers, type Follower, type Followers, type Sink } from "./followers.ts";
import { newBoards, newsFor, openings, sharedNewsOf } from "./news.ts";
import { admitToStream, stillAdmitted } from "./stream-admission.ts";
import { endWithCredential, keepAlive, keepalive } from "./stream-timers.ts";

/** Everyone who follows boards. */
export interface Streams {
  /** Admits a credential, sends it the heads of its boards and follows them. Gives a function that stops. */
  open(presented: Presented, sink: Sink): () => void;
  readonly count: number;
  /** Ends every stream. */
  endAll(): void;
}

const encoder = new TextEncoder();

/**
 * Makes the streams of a server. A commit is noted by board and by kind of change; the next turn of the event loop
 * reads each change once, in one transaction, for the followers that it concerns and for no others.
 */
export function createStreams(db: Db, clock: () => Date): Streams {
  const followers = createFollowers();
  tellOfCommits(db, followers);
  const stopKeepalive = keepAlive(followers);

  function followerOf(tx: ReadTx, presented: Presented): Follower {
    const caller = admitToStream(tx, presented);
    const known = followers.of(presented);
    if (known) return known;
    const follower = followers.add(presented, caller);
    endWithCredential(db, clock, followers, follower, endOf(caller));
    return follower;
  }

  return {
    get count() {
      return followers.all().reduce((sum, { sinks }) => sum + sinks.size, 0);
    },
    open(presented, sink) {
      const { follower, untold, text } = db.read((tx) => {
        const follower = followerOf(tx, presented);
        const untold = newBoards(tx, followers, follower);
        // The first stream of a follower is shown nothing but what is new to it.
        const text = follower.sinks.size ? openings(tx, follower.personRow) : untold;
        return { follower, untold, text };
      });
      const others = [...follower.sinks];
      follower.sinks.add(sink);
      sink.send(text ? encoder.encode(text) : keepalive);
      // What is new to the others counts as shown from here on: nothing else would tell them.
      if (untold) followers.send(follower, encoder.encode(untold), others);
      return () => followers.drop(follower, sink);
    },
    endAll() {
      stopKeepalive();
      for (const follower of followers.all()) followers.end(follower);
    },
  };
}

/** Tells followers what commits change, at most once in a turn of the event loop. */
function tellOfCommits(db: Db, followers: Followers): void {
  let changes = noChanges();
  let scheduled = false;

  db.onCommit((signals) => {
    if (followers.size === 0) return;
    for (const signal of signals) note(changes, signal, followers);
    if (scheduled || isEmpty(changes)) return;
    scheduled = true;
    setImmediate(tell);
  });

  /** Tells everybody concerned what happened since the last turn. */
  function tell(): void {
    scheduled = false;
    const told = changes;
    changes = noChanges();
    const concerned = concernedBy(told, followers);
    if (concerned.size === 0) return;
    const sends = db.read((tx) => {
      const shared = sharedNewsOf(tx, told);
      return [...concerned].map((follower) => {
        const works = stillAdmitted(tx, follower.presented) !== null;
        return { follower, text: works ? newsFor(tx, followers, follower, told, shared) : null };
      });
    });
    for (const { follower, text } of sends) {
      if (text === null) followers.end(follower);
      else if (text) followers.send(follower, encoder.encode(text));
    }
  }
}
