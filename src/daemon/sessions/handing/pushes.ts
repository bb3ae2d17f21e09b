import {
  confirmPushed,
  handedIn,
  pushedHandoffs,
  returnOthers,
  returnPushed,
  settlePushed,
} from "../../../db/journal/deliveries.ts";
import type { DaemonAgent } from "../../../client/machine/daemon-wire.ts";
import { wakesIt } from "../held/bundle.ts";
import { RequestRefused } from "../../socket/request-refused.ts";
import type { HandedText, Push } from "../../harnesses/harness.ts";
import type { Handing } from "./handing.ts";
import type { SessionKey } from "../../../db/journal/journal-sessions.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";
import { modesTold } from "./told-modes.ts";

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** How long a turn may take to begin before the harness is asked what became of its text. */
const beginMs = 5_000;
/** After so many failures in a row the person has to look. */
const mostFailures = 5;

/** Makes the part that wakes sessions whose harness takes a text by itself. */
export function createPushes(handing: Handing) {
  const { db, options, feeds, texts, harnessOf, hand, lookAt, calm } = handing;
  const { clock, log } = options;
  const bytesOf = (session: LiveSession) => harnessOf(session).profile.delivery.wakeBytes;

  /** An act of the harness. A failure is tried again after a pause, and the fifth in a row ends the tries. */
  async function tried<T>(session: LiveSession, act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const reason = error instanceof RequestRefused ? error.code : said;
      log(`${session.key.harness}:${session.key.id}: ${said}`);
      const count = ++session.pushFailures;
      if (count >= mostFailures) session.attention = reason;
      else
        lookAt(
          session,
          clock.elapsed() + Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs),
        );
      return null;
    }
  }

  async function answered(session: LiveSession, handoff: string): Promise<void> {
    const confirmed = await db.write((tx) => {
      settlePushed(tx, handoff);
      return confirmPushed(tx, session.key, handoff);
    });
    if (confirmed === 0) return;
    modesTold(session, handoff);
    session.failures = 0;
    feeds.settle(session.key);
  }

  /** Gives a text again under its id. What was read elsewhere meanwhile is no longer in it. */
  async function handAgain(session: LiveSession, push: Push, id: string): Promise<void> {
    const seqs = Map.groupBy(
      db.read((tx) => handedIn(tx, id)),
      seatKeyOf,
    );
    const seqsOf = (agent: DaemonAgent) =>
      new Set(seqs.get(seatKeyOf(agent))?.map(({ seq }) => seq));
    const bundle = await texts.writeAgain(id, session, seqsOf);
    if (bundle === null || (await isAway(session, push))) return;
    const { text, ownersOnly, parts } = bundle;
    const held = parts.map(({ seat, seqs }) => ({ ...seat.feed.agent, seqs }));
    // What the text no longer holds must not be confirmed with it.
    await db.write((tx) => returnOthers(tx, id, held));
    await give(session, push, { id, text, ownersOnly });
  }

  /** Whether the session can take no text at the moment. Then it is looked at again soon. */
  async function isAway(session: LiveSession, push: Push): Promise<boolean> {
    const asked = await tried(session, async () => ({ why: await push.away?.(session.key.id) }));
    session.away = asked?.why ?? null;
    if (session.away !== null) lookAt(session, clock.elapsed() + beginMs);
    return asked === null || session.away !== null;
  }

  async function give(session: LiveSession, push: Push, text: HandedText): Promise<void> {
    await tried(session, async () => {
      await push.hand(session.key.id, text);
      session.pushFailures = 0;
      // A harness that begins no turn says nothing by itself.
      lookAt(session, clock.elapsed() + beginMs);
    });
  }

  /** The harness does not have a text: its messages wait again. */
  const lost = (id: string) =>
    db.write((tx) => {
      settlePushed(tx, id);
      returnPushed(tx, id);
    });

  /** Asks what became of a text. Gives true if the harness still holds it. */
  async function isHeld(session: LiveSession, push: Push, id: string): Promise<boolean> {
    const fate = await tried(session, () => push.fate(session.key.id, id));
    session.paused.delete(id);
    if (fate === "paused") session.paused.add(id);
    if (fate === "answered") await answered(session, id);
    if (fate === "absent") await lost(id);
    if (fate !== "unanswered") return fate !== "answered" && fate !== "absent";
    // Its next turn has the text all the same, and what does not wake waits for that.
    if (!wakesAgain(session, id)) return false;
    if (clock.elapsed() < session.quietUntil) lookAt(session, session.quietUntil);
    else await handAgain(session, push, id);
    return true;
  }

  /** Whether somebody still waits for the answer to a text. What was read elsewhere is no longer handed. */
  function isWanted({ key }: LiveSession, id: string): boolean {
    const seats = feeds.seatsOf(key).map(({ feed }) => feed);
    return db
      .read((tx) => handedIn(tx, id))
      .some(({ server, member_id }) => {
        const feed = seats.find(
          ({ agent }) => agent.server === server && agent.member_id === member_id,
        );
        // The mode of a seat is known once its stream is open.
        return feed !== undefined && !(feed.connected && feed.mode === "off");
      });
  }

  /** Whether a text that the harness keeps unanswered has a message that wakes the session, by the modes as they are now. */
  function wakesAgain({ key }: LiveSession, id: string): boolean {
    const seats = new Map(feeds.seatsOf(key).map((seat) => [seatKeyOf(seat.feed.agent), seat]));
    return db
      .read((tx) => handedIn(tx, id))
      .some((message) => {
        const seat = seats.get(seatKeyOf(message));
        const unread = seat?.feed.unread.get(message.seq);
        // What is not known yet is not known to be quiet.
        return !seat?.feed.connected || (unread !== undefined && wakesIt(seat, unread));
      });
  }

  /** Whether every seat with messages in a text has ended. Then no answer to it is acknowledged. */
  function isOver({ key }: LiveSession, id: string): boolean {
    const ended = feeds.seatsOf(key).filter(({ feed }) => feed.stopped !== null);
    const keys = new Set(ended.map(({ feed }) => seatKeyOf(feed.agent)));
    const messages = keys.size === 0 ? [] : db.read((tx) => handedIn(tx, id));
    return messages.length > 0 && messages.every((message) => keys.has(seatKeyOf(message)));
  }

  /** Takes a text back that nobody waits for any more. */
  async function takeBack(key: SessionKey, push: Push, id: string): Promise<void> {
    const isBack = (await push.takeBack?.(key.id, id)) ?? false;
    if (isBack) await lost(id);
    // A turn runs with it, or has. If it holds no message any more, nothing is left to learn.
    else if (holdsNothing(id)) await db.write((tx) => settlePushed(tx, id));
  }
  const holdsNothing = (id: string) => db.read((tx) => handedIn(tx, id)).length === 0;

  /** Takes back what was read elsewhere, and what belongs to seats that have moved or whose mode is off. */
  async function takeBackUnwanted(session: LiveSession, push: Push): Promise<void> {
    for (const { id } of db.read((tx) => pushedHandoffs(tx, session.key)))
      if (isOver(session, id)) await lost(id);
      else if (!isWanted(session, id)) await tried(session, () => takeBack(session.key, push, id));
  }

  /** Takes back what a session that is not open no longer has a seat for. The rest waits for it. */
  async function takeBackFromClosed(key: SessionKey, push: Push): Promise<void> {
    for (const { id } of db.read((tx) => pushedHandoffs(tx, key)))
      if (holdsNothing(id)) await takeBack(key, push, id);
  }

  /** Asks what became of the texts that the harness took. Gives true if it still holds one. */
  async function holdsText(session: LiveSession, push: Push): Promise<boolean> {
    let holds = false;
    for (const { id } of db.read((tx) => pushedHandoffs(tx, session.key)))
      if (await isHeld(session, push, id)) holds = true;
    return holds;
  }

  /**
   * Gives the session what waits. While a turn runs, or the harness holds a text that has not begun its turn, only the
   * owner's own messages go: others wait until the session is idle, so that they can still change.
   */
  async function consider(session: LiveSession, push: Push): Promise<void> {
    if (session.attention !== null) return;
    await takeBackUnwanted(session, push);
    if (session.busy && !push.joinsTurn) return calm(session);
    const holds = !session.busy && (await holdsText(session, push));
    const occasion = session.busy || holds ? "mid_turn" : "wake";
    if (!handing.wants(session, occasion)) return holds ? undefined : calm(session);
    if (clock.elapsed() < session.quietUntil) return lookAt(session, session.quietUntil);
    if (occasion === "wake" && !handing.isGathered(session))
      return lookAt(session, session.gatherUntil ?? 0);
    calm(session);
    if (await isAway(session, push)) return;
    const how = { bytes: bytesOf(session), turn: null, idle: !session.busy, pushed: true };
    const handed = await hand(session, occasion, how);
    // Whether the harness has it after a failure, the next look tells.
    if (handed) await give(session, push, handed);
  }

  return { answered, consider, takeBackFromClosed };
}
