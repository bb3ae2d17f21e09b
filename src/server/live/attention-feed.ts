import type { Db } from "../../db/engine/database.ts";
import { attentionOf, stateOf, type Attention } from "../attention/attention.ts";
import { afterSeconds, minuteSeconds } from "../time.ts";
import type { Follower } from "./followers.ts";
import type { Hub } from "./hub.ts";
import { stillAdmitted } from "./stream-admission.ts";
import { encode } from "./stream-events.ts";

/** A look at what needs a person, and when it was made. */
interface Look {
  readonly attention: Attention;
  readonly now: string;
}

/** The event with the counts of what needs a person. */
export const attentionEvent = ({ counts }: Attention): string => encode("attention", { counts });

/**
 * Sends a follower an event whenever what needs their person changes, until their last stream ends. Anybody can make
 * requests of machines, so changes of these alone send at most one event a minute.
 */
export async function feedAttention(
  db: Db,
  hub: Hub,
  follower: Follower,
  first: Look,
  send: (event: string) => void,
): Promise<void> {
  const { presented } = follower;
  const { signal } = (follower.over ??= new AbortController());
  let look = first;
  let told = statesOf(first);
  let machinesAt = afterSeconds(first.now, -minuteSeconds);
  while (!signal.aborted && !hub.closed) {
    const machinesDue = afterSeconds(machinesAt, minuteSeconds);
    const isLate = statesOf(look).all !== told.all;
    const moments = [look.attention.changesAt, isLate ? machinesDue : null];
    await hub.wait(look.attention.topics, millisecondsTo(moments, look.now), signal, "aside");
    const next = signal.aborted ? null : lookAgain(db, presented);
    // The stream itself ends when its credential does.
    if (!next) return;
    look = next;
    const states = statesOf(look);
    if (states.all === told.all) continue;
    const machinesAlone = states.withoutMachines === told.withoutMachines;
    if (machinesAlone && look.now < afterSeconds(machinesAt, minuteSeconds)) continue;
    if (machinesAlone) machinesAt = look.now;
    told = states;
    send(attentionEvent(look.attention));
  }
}

const statesOf = ({ attention }: Look) => ({
  all: stateOf(attention),
  withoutMachines: stateOf(attention, "machine_request"),
});

const lookAgain = (db: Db, presented: Follower["presented"]): Look | null =>
  db.read((tx) => {
    const caller = stillAdmitted(tx, presented);
    return caller && { attention: attentionOf(tx, caller), now: tx.now };
  });

const millisecondsTo = (moments: readonly (string | null)[], now: string): number =>
  Math.min(...moments.map((at) => (at === null ? Infinity : Date.parse(at) - Date.parse(now))));
