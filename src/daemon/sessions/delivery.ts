import type { Db } from "../../db/engine/database.ts";
import { returnHanded, returnHandoff, saveHandoff } from "../../db/journal/deliveries.ts";
import type { Harness } from "../harnesses/harness.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import { bundleOf, chosenFor, type Occasion } from "./bundle.ts";
import type { Feeds } from "./feeds.ts";
import type { LiveSession } from "./live-session.ts";

/** Hands messages to sessions. Every function runs within the work of the session that it gets. */
export interface Delivery {
  /** Looks whether the session is to be woken, and rings or hands when it is time. */
  consider(session: LiveSession): Promise<void>;
  /** Writes a handoff and gives its text, or null if nothing is to be handed. */
  hand(
    session: LiveSession,
    occasion: Occasion,
    how: { readonly bytes: number; readonly turn: string | null; readonly idle: boolean },
  ): Promise<{ readonly id: string; readonly text: string } | null>;
  /** Ends what waits for the session's next wake. */
  calm(session: LiveSession): void;
}

/** How long a ring may take to bring a hook, before the first repetition. */
const ringAgainMs = 2_000;
const longestRingMs = 60_000;

const newHandoff = (): string =>
  `hnd_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex")}`;

/** Makes the part that hands. `later` runs work of a session after what it does now. */
export function createDelivery(
  db: Db,
  options: DaemonOptions,
  feeds: Feeds,
  harnessOf: (session: LiveSession) => Harness,
  later: (session: LiveSession, work: () => Promise<void>) => void,
): Delivery {
  const { clock, gatherMs, log } = options;

  const hand: Delivery["hand"] = async (session, occasion, { bytes, turn, idle }) => {
    const seats = feeds.seatsOf(session.key);
    const id = newHandoff();
    const bundle = bundleOf(id, occasion, seats, options.render, bytes);
    if (bundle === null) return null;
    const parts = bundle.parts.map(({ seat, seqs }) => {
      const { server, member_id } = seat.feed.agent;
      return { server, member_id, generation: seat.generation, seqs };
    });
    const { key, boot } = session;
    // The text is shown to nobody before this is on disk.
    await db.write((tx) =>
      saveHandoff(tx, { id, session: key, boot, at: clock.now(), idle, turn, parts }),
    );
    return { id, text: bundle.text };
  };

  const isToWake = ({ key }: LiveSession): boolean =>
    feeds.seatsOf(key).some((seat) => chosenFor("wake", seat).length > 0);

  function calm(session: LiveSession): void {
    session.cancelTimer();
    session.gatherUntil = null;
    session.rings = 0;
    session.waiting?.answer({ event: "release" });
    session.waiting?.end();
    session.waiting = null;
  }

  function wakeAt(session: LiveSession, time: number): void {
    session.cancelTimer();
    session.cancelTimer = clock.after(Math.max(0, time - clock.now()), () =>
      later(session, () => consider(session)),
    );
  }

  async function consider(session: LiveSession): Promise<void> {
    const now = clock.now();
    const { silentTurnMs, ring } = harnessOf(session);
    if (session.busy && now - session.heardAt >= silentTurnMs) {
      session.busy = false;
      await db.write((tx) => returnHanded(tx, session.key));
    }
    if (session.busy || !isToWake(session)) return calm(session);
    if (now < session.quietUntil) return wakeAt(session, session.quietUntil);
    session.gatherUntil ??= now + gatherMs;
    if (session.waiting) {
      if (now < session.gatherUntil) return wakeAt(session, session.gatherUntil);
      return deliver(session);
    }
    try {
      ring(session.key.id);
    } catch (error) {
      log(`ringing: ${error instanceof Error ? error.message : "?"}`);
    }
    wakeAt(session, now + Math.min(ringAgainMs * 2 ** session.rings++, longestRingMs));
  }

  /** Hands the bundle to the hook of the bell. From then on the session counts as busy. */
  async function deliver(session: LiveSession): Promise<void> {
    const { waiting } = session;
    const bytes = harnessOf(session).wakeBytes;
    const handed = await hand(session, "wake", { bytes, turn: null, idle: true });
    if (handed === null || waiting === null || session.waiting !== waiting) {
      if (handed) await db.write((tx) => returnHandoff(tx, handed.id));
      return calm(session);
    }
    session.cancelTimer();
    Object.assign(session, { waiting: null, gatherUntil: null, rings: 0 });
    Object.assign(session, { busy: true, heardAt: clock.now() });
    feeds.report(session.key, "working");
    waiting.answer({ event: "deliver", bundle: handed.text, handoff_id: handed.id });
    waiting.onEnd(() =>
      later(session, async () => {
        // The hook ended before it said that it has the text. If a turn runs with it all the same, nothing is returned.
        if (session.received.delete(handed.id)) return;
        const returned = await db.write((tx) => returnHandoff(tx, handed.id));
        if (returned > 0) session.busy = false;
        await consider(session);
      }),
    );
  }

  return { consider, hand, calm };
}
