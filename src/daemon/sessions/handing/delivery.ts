import type { Db } from "../../../db/engine/database.ts";
import { returnHanded, saveHandoff } from "../../../db/journal/deliveries.ts";
import type { SessionKey } from "../../../db/journal/journal-sessions.ts";
import type { Harness } from "../../harnesses/harness.ts";
import type { DaemonOptions } from "../held/daemon-options.ts";
import { createBells } from "./bells.ts";
import { chosenFor } from "../held/bundle.ts";
import type { Feeds } from "../held/feeds.ts";
import type { Hand, Handing } from "./handing.ts";
import type { LiveSession } from "../held/live-session.ts";
import { createPushes } from "./pushes.ts";
import { dueReminders } from "./reminders.ts";
import { createTexts } from "./texts.ts";
import { changedModes, noteModes, tellModes } from "./told-modes.ts";

/** Hands messages to sessions. Every function runs within the work of the session that it gets. */
export interface Delivery extends Pick<Handing, "consider" | "hand" | "calm"> {
  /** What a session is told at the start of a turn that gets no message, or null. */
  ownLines(session: LiveSession): string | null;
  /** The harness says that the model answered a text that the harness took by itself. */
  answered(session: LiveSession, handoff: string): Promise<void>;
  /** Takes back what the harness holds for a session that is not open and has lost its seat. */
  takeBackFromClosed(key: SessionKey): void;
}

/** How long a text that was handed to an idle session may take to begin its turn before it is handed again. */
export const wakeMs = 60_000;

/** The first and the longest pause after a handoff that could not be written. */
const firstPauseMs = 2_000;
const longestPauseMs = 300_000;

/** A new id. It begins with the time, since a harness may keep its messages in the order of their ids. */
export const newHandoff = (now: number): string =>
  `hnd_${Bun.randomUUIDv7("hex", now).replaceAll("-", "")}`;

/** Makes the part that hands. `later` runs work of a session after what it does now. */
export function createDelivery(
  db: Db,
  options: DaemonOptions,
  feeds: Feeds,
  harnessOf: (session: LiveSession) => Harness,
  later: (session: LiveSession, work: () => Promise<void>) => void,
): Delivery {
  const { clock } = options;
  const wakeBytesOf = (session: LiveSession) => harnessOf(session).profile.delivery.wakeBytes;
  const texts = createTexts(options, feeds, wakeBytesOf);

  const hand: Hand = async (session, occasion, { bytes, turn, idle, pushed = false }) => {
    const id = newHandoff(clock.now());
    const reminders = occasion === "wake" ? await ownReminders(session) : null;
    const bundle = await texts.write(id, session, occasion, bytes, reminders);
    if (bundle === null) return null;
    const parts = bundle.parts.map(({ seat, seqs }) => {
      const { server, member_id } = seat.feed.agent;
      return { server, member_id, generation: seat.generation, seqs };
    });
    const { key, boot } = session;
    const at = clock.now();
    // The text is shown to nobody before this is on disk.
    const isSaved = await db
      .write((tx) => saveHandoff(tx, { id, session: key, boot, at, idle, turn, pushed, parts }))
      .catch((error: unknown) => notSaved(session, error));
    if (!isSaved) return null;
    session.handFailures = 0;
    if (occasion !== "mid_turn") session.gatherUntil = null;
    session.texts++;
    if (bundle.preview !== null) session.previewed.add(bundle.preview);
    if (occasion !== "mid_turn") tellModes(session, feeds.seatsOf(key), turn === null ? id : null);
    return { id, text: bundle.text, ownersOnly: bundle.ownersOnly };
  };

  /** The reminders of a session in whose harness no hook tells that a turn begins: only a wake can bring them. */
  async function ownReminders(session: LiveSession): Promise<string | null> {
    if (harnessOf(session).profile.lifecycle.liveness !== "connection") return null;
    return dueReminders(session, feeds.seatsOf(session.key), "turn_start", options);
  }

  /** The journal takes no handoff, so nothing is handed. It is tried again after a pause. */
  function notSaved(session: LiveSession, error: unknown): false {
    if (session.handFailures === 0) options.log(`writing a handoff: ${String(error)}`);
    const pause = Math.min(firstPauseMs * 2 ** session.handFailures++, longestPauseMs);
    session.quietUntil = Math.max(session.quietUntil, clock.elapsed() + pause);
    later(session, () => consider(session));
    return false;
  }

  function calm(session: LiveSession): void {
    session.cancelTimer();
    session.rings = 0;
    session.waiting?.answer({ event: "release" });
    session.waiting?.end();
    session.waiting = null;
  }

  /** Tells of changed modes in a turn that gets no message. */
  function ownLines(session: LiveSession): string | null {
    const seats = feeds.seatsOf(session.key);
    const lines = changedModes(session, seats);
    tellModes(session, seats, null);
    return lines.length === 0 ? null : lines.join("\n\n");
  }

  const hasHanded = ({ key }: LiveSession): boolean =>
    feeds.seatsOf(key).some(({ states }) => [...states.values()].includes("handed"));

  async function consider(session: LiveSession): Promise<void> {
    noteModes(session, feeds.seatsOf(session.key));
    const { profile, wake } = harnessOf(session);
    const silence = clock.elapsed() - session.heardAt;
    const most = session.busy ? profile.delivery.silentTurnMs : wakeMs;
    if (silence >= most && (session.busy || hasHanded(session))) {
      session.busy = false;
      await db.write((tx) => returnHanded(tx, session.key));
    }
    // What comes while a turn runs is gathered until its end.
    const gathering = session.gatherUntil ?? clock.elapsed() + options.gatherMs;
    session.gatherUntil = handing.wants(session, "wake") ? gathering : null;
    if (wake.kind === "push") await pushes.consider(session, wake);
    else await bells.consider(session, wake);
  }

  const handing: Handing = {
    db,
    options,
    feeds,
    texts,
    harnessOf,
    later,
    consider,
    hand,
    calm,
    wants: (session, occasion) =>
      feeds.seatsOf(session.key).some((seat) => chosenFor(occasion, seat).length > 0),
    isGathered: ({ gatherUntil }) => clock.elapsed() >= (gatherUntil ?? 0),
    lookAt(session, time) {
      session.cancelTimer();
      session.cancelTimer = clock.after(Math.max(0, time - clock.elapsed()), () =>
        later(session, () => consider(session)),
      );
    },
  };
  const bells = createBells(handing);
  const pushes = createPushes(handing);
  return {
    consider,
    hand,
    calm,
    ownLines,
    answered: pushes.answered,
    takeBackFromClosed(key) {
      const used = options.harnesses.find(({ profile }) => profile.harness === key.harness);
      if (used?.wake.kind !== "push") return;
      pushes
        .takeBackFromClosed(key, used.wake)
        .catch((error: unknown) => options.log(`taking back: ${String(error)}`));
    },
  };
}
