import { returnHandoff } from "../../../db/journal/deliveries.ts";
import type { Bell } from "../../harnesses/harness.ts";
import type { Handing } from "./handing.ts";
import type { LiveSession } from "../held/live-session.ts";

/** How long a ring may take to bring a hook, before the first repetition. */
const ringAgainMs = 2_000;
const longestRingMs = 60_000;

/** Makes the part that wakes sessions which fetch their bundle when they are rung. */
export function createBells(handing: Handing) {
  const { db, options, feeds, harnessOf, later, hand, calm, lookAt } = handing;
  const { clock, log } = options;

  /** Rings until a hook of the bell waits, and gives that hook its bundle when gathering is over. */
  async function consider(session: LiveSession, bell: Bell): Promise<void> {
    if (session.busy || !handing.wants(session, "wake")) return calm(session);
    if (clock.elapsed() < session.quietUntil) return lookAt(session, session.quietUntil);
    const isGathered = handing.isGathered(session);
    if (session.waiting)
      return isGathered ? deliver(session) : lookAt(session, session.gatherUntil ?? 0);
    try {
      bell.ring(session.key.id);
    } catch (error) {
      log(`ringing: ${error instanceof Error ? error.message : "?"}`);
    }
    const pause = Math.min(ringAgainMs * 2 ** session.rings++, longestRingMs);
    lookAt(session, clock.elapsed() + pause);
  }

  /** Hands the bundle to the hook of the bell. From then on the session counts as busy. */
  async function deliver(session: LiveSession): Promise<void> {
    const { waiting } = session;
    const bytes = harnessOf(session).profile.delivery.wakeBytes;
    const handed = await hand(session, "wake", { bytes, turn: null, idle: true });
    if (handed === null || waiting === null || session.waiting !== waiting) {
      if (handed) await db.write((tx) => returnHandoff(tx, handed.id));
      return calm(session);
    }
    session.cancelTimer();
    Object.assign(session, { waiting: null, rings: 0 });
    Object.assign(session, { busy: true, heardAt: clock.elapsed() });
    feeds.report(session.key, "working");
    waiting.answer({ event: "deliver", bundle: handed.text, handoff_id: handed.id });
    waiting.onEnd(() =>
      later(session, async () => {
        // The hook ended before it said that it has the text. If a turn runs with it all the same, nothing is returned.
        if (session.received.delete(handed.id)) return;
        const returned = await db.write((tx) => returnHandoff(tx, handed.id));
        if (returned > 0) session.busy = false;
        await handing.consider(session);
      }),
    );
  }

  return { consider };
}
