import type { Typed } from "../../../agent-text/directions.ts";
import type { DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import type { Db } from "../../../db/engine/database.ts";
import {
  confirmHanded,
  returnHanded,
  returnHandoff,
  saveTurn,
} from "../../../db/journal/deliveries.ts";
import { noteTurned, sessionAt } from "../../../db/journal/journal-sessions.ts";
import type { Harness } from "../../harnesses/harness.ts";
import type { Clock } from "../../loop/clock.ts";
import type { Peer, RawRequest } from "../../socket/listen.ts";
import { wakeMs, type Delivery } from "./delivery.ts";
import type { Feeds } from "../held/feeds.ts";
import type { JoinedTurn, LiveSession } from "../held/live-session.ts";
import { noticeOf } from "./notice.ts";
import { dueReminders } from "./reminders.ts";
import { startOf, startsInFuture, textOf } from "../held/requests.ts";
import { modesTold } from "./told-modes.ts";

type Answer = Omit<DaemonAnswer, "v">;

/** A hook that comes late speaks of one of so many turns. */
const mostTurns = 20;
const firstFailureMs = 15_000;
const longestFailureMs = 600_000;

interface Parts {
  readonly clock: Clock;
  readonly feeds: Feeds;
  readonly delivery: Delivery;
  readonly typed: Typed;
  harnessOf(session: LiveSession): Harness;
  /** Runs work of a session after what it does now. */
  later(session: LiveSession, work: () => Promise<void>): void;
}

/** Makes the part that hears of turns. Every function runs within the work of the session that it gets. */
export function createTurns(db: Db, { clock, feeds, delivery, typed, harnessOf, later }: Parts) {
  /** The most bytes of what may follow a text in a turn. */
  const bytesAfter = (session: LiveSession, text: string | null): number =>
    harnessOf(session).profile.delivery.contextBytes - sizeOf(text);

  /** Notes that a turn runs. */
  function turns(session: LiveSession, turn: string): void {
    const now = clock.now();
    if (!session.busy) feeds.report(session.key, "working");
    Object.assign(session, { busy: true, heardAt: clock.elapsed(), turnSeenAt: now });
    noteId(session, turn);
  }

  function noteId(session: LiveSession, turn: string): void {
    if (turn === "") return;
    session.turn = turn;
    session.turnsSeen.add(turn);
    const [oldest = ""] = session.turnsSeen;
    if (session.turnsSeen.size > mostTurns) session.turnsSeen.delete(oldest);
  }

  /** Whether another turn has taken the place of this one, so that a hook which speaks of it comes too late. */
  const isPast = ({ turn: last, turnsSeen }: LiveSession, turn: string): boolean =>
    turn !== last && turnsSeen.has(turn);

  async function turnStart(session: LiveSession, request: RawRequest): Promise<Answer> {
    const turn = textOf(request, "harness_turn");
    if (isPast(session, turn)) return {};
    const handoff = textOf(request, "handoff_id");
    const idle = !session.busy;
    const runsAlready = turn !== "" && turn === session.turn;
    // What is added to a prompt that waits for its turn would be confirmed by the end of the turn before it.
    const mayWait = runsAlready || session.mayRun;
    turns(session, turn);
    session.turnEndBundles = 0;
    if (handoff !== "") modesTold(session, handoff);
    delivery.calm(session);
    const { key, boot } = session;
    await db.write((tx) => {
      noteTurned(tx, key);
      if (handoff !== "" && turn !== "" && !runsAlready) saveTurn(tx, key, boot, handoff, turn);
      for (const [id, joined] of session.joined) if (joined.turn !== turn) returnHandoff(tx, id);
      returnHanded(tx, key, { turn, wakesSince: clock.now() - wakeMs });
    });
    for (const [id, joined] of session.joined) if (joined.turn !== turn) session.joined.delete(id);
    if (handoff !== "" && runsAlready) session.joined.set(handoff, { turn, at: clock.now() });
    session.kept = mayWait ? { at: clock.now(), isSure: runsAlready } : null;
    if (turn === "") return {};
    const nudge = await dueReminders(session, feeds.seatsOf(key), "turn_start", { clock, typed });
    const bytes = bytesAfter(session, nudge);
    const handed = mayWait
      ? null
      : await delivery.hand(session, "turn_start", { bytes, turn, idle });
    const own = handed ? null : delivery.ownLines(session);
    return { ...said("nudge", nudge), ...said("bundle", own), ...handedAnswer(handed) };
  }

  /**
   * Notes which turn holds the texts whose prompts came while a turn ran. The harness keeps such a prompt: its model reads it
   * after that turn's next batch of tools, or in another turn right after, which begins without a prompt's hook.
   */
  async function settleJoined(session: LiveSession, request: RawRequest): Promise<void> {
    const turn = textOf(request, "harness_turn");
    const { key, boot } = session;
    const started = startOf(request, clock.now());
    if (request["at"] === "after_tools" && started > (session.kept?.at ?? Infinity))
      session.kept = null;
    if (turn === "" || session.joined.size === 0) return;
    const isRead = (joined: JoinedTurn) =>
      joined.turn !== turn || (request["at"] === "after_tools" && started > joined.at);
    const read = [...session.joined].filter(([, joined]) => isRead(joined));
    for (const [id] of read) session.joined.delete(id);
    if (read.length === 0) return;
    await db.write((tx) => {
      for (const [id, joined] of read)
        saveTurn(tx, key, boot, id, turn, joined.turn === turn ? clock.now() : null);
    });
  }

  /** Confirms what this hook proves. A hook that does not name its turn proves nothing. */
  async function confirm(session: LiveSession, request: RawRequest, idleOnly: boolean) {
    const turn = textOf(request, "harness_turn");
    if (turn === "") return;
    const { key, boot } = session;
    const given = textOf(request, "boot");
    if (given !== "" && given !== boot) return;
    // Nobody knows whether it started before the hand.
    if (startsInFuture(request, clock.now())) return;
    const started = startOf(request, clock.now());
    const evidence = { session: key, boot, turn, started, idleOnly };
    if ((await db.write((tx) => confirmHanded(tx, evidence))) === 0) return;
    session.failures = 0;
    feeds.settle(key);
  }

  /** A turn runs whose beginning nobody told. What was handed in the turns before it is proved by nothing any more. */
  async function noticeTurn({ key, turnsSeen }: LiveSession, turn: string): Promise<void> {
    if (turn === "" || turnsSeen.has(turn)) return;
    const kept = { turn, wakesSince: clock.now() - wakeMs };
    await db.write((tx) => returnHanded(tx, key, kept));
  }

  async function boundary(session: LiveSession, request: RawRequest): Promise<Answer> {
    if (isPast(session, textOf(request, "harness_turn"))) return {};
    await settleJoined(session, request);
    await noticeTurn(session, textOf(request, "harness_turn"));
    const isBefore = request["at"] === "before_tool";
    await confirm(session, request, !isBefore);
    const turn = textOf(request, "harness_turn");
    turns(session, turn);
    delivery.calm(session);
    // The next tool of the same answer would confirm it, and the model has not read it by then.
    if (isBefore) return {};
    const nudge = await dueReminders(session, feeds.seatsOf(session.key), "tool", { clock, typed });
    const bytes = bytesAfter(session, nudge);
    // What is handed in no turn could never be confirmed. A notice needs no confirmation.
    const handed =
      turn === "" ? null : await delivery.hand(session, "mid_turn", { bytes, turn, idle: false });
    const announced = new Map(session.announced);
    const notice = noticeOf(feeds.seatsOf(session.key), announced, typed);
    const fits = Buffer.byteLength(notice ?? "") <= bytes - sizeOf(handed?.text ?? null);
    if (fits) session.announced = announced;
    return {
      ...said("nudge", nudge),
      ...handedAnswer(handed),
      ...(fits && said("notice", notice)),
    };
  }

  /** Whether the last turn goes on although this hook says that one ended: it names an earlier one, or another hook of this end has added a bundle. */
  function goesOn(session: LiveSession, request: RawRequest): boolean {
    const turn = textOf(request, "harness_turn");
    if (isPast(session, turn)) return true;
    const isEarlier = startOf(request, clock.now()) < session.turnSeenAt;
    return session.busy && isEarlier && (turn !== session.turn || session.turnEndBundles > 0);
  }

  async function turnEnd(session: LiveSession, request: RawRequest): Promise<Answer> {
    const failed = request["failed"] === true;
    const turn = textOf(request, "harness_turn");
    if (goesOn(session, request)) {
      if (!failed) await confirm(session, request, false);
      return {};
    }
    session.heardAt = clock.elapsed();
    // The turn has ended, also where the journal cannot be written.
    const added = await addedAtEnd(session, request, failed).catch((error: unknown) => {
      noteId(session, turn);
      session.mayRun = false;
      becomeIdle(session);
      throw error;
    });
    noteId(session, turn);
    if (added === null) {
      // A prompt that came during the turn, and was not read in it, now has a turn of its own. No hook tells of its beginning.
      const kept = failed ? null : session.kept;
      Object.assign(session, { kept: null, mayRun: kept !== null });
      if (!kept?.isSure) becomeIdle(session);
      return {};
    }
    session.turnEndBundles++;
    session.mayRun = false;
    turns(session, turn);
    return handedAnswer(added);
  }

  /** Notes what the end of a turn proves. Gives the bundle that the turn goes on with, or null. */
  async function addedAtEnd(session: LiveSession, request: RawRequest, failed: boolean) {
    const turn = textOf(request, "harness_turn");
    await settleJoined(session, request);
    if (failed) {
      await db.write((tx) => returnHanded(tx, session.key));
      session.joined.clear();
      pauseAfterFailure(session);
      return null;
    }
    await noticeTurn(session, turn);
    await confirm(session, request, false);
    const { contextBytes: bytes, turnEndBundles } = harnessOf(session).profile.delivery;
    const mayHand = request["takes_bundle"] === true && session.turnEndBundles < turnEndBundles;
    if (!mayHand || turn === "") return null;
    return delivery.hand(session, "wake", { bytes, turn, idle: false });
  }

  function becomeIdle(session: LiveSession): void {
    session.busy = false;
    feeds.report(session.key, "idle");
    later(session, () => delivery.consider(session));
  }

  /** The harness itself says what the session does. */
  async function is(session: LiveSession, state: "busy" | "idle" | "failed"): Promise<void> {
    session.attention = null;
    if (state === "busy") {
      turns(session, "");
      const isNoted = db.read((tx) => sessionAt(tx, session.key))?.turned === 1;
      if (!isNoted) await db.write((tx) => noteTurned(tx, session.key));
      return delivery.consider(session);
    }
    if (state === "failed") pauseAfterFailure(session);
    else if (session.busy) session.failures = 0;
    session.heardAt = clock.elapsed();
    Object.assign(session, { busy: false, mayRun: false, kept: null });
    feeds.report(session.key, "idle");
    await delivery.consider(session);
  }

  function pauseAfterFailure(session: LiveSession): void {
    const pause = Math.min(firstFailureMs * 2 ** session.failures++, longestFailureMs);
    session.quietUntil = clock.elapsed() + pause;
  }

  async function wait(session: LiveSession, request: RawRequest, peer: Peer): Promise<void> {
    peer.answer({ event: "waiting", boot: session.boot });
    // The hook of a bell names the turn that runs, or ran last.
    const turn = textOf(request, "harness_turn");
    // A turn of which no other hook has told may still run.
    if (turn !== "" && !session.turnsSeen.has(turn)) {
      session.mayRun = true;
      noteId(session, turn);
    }
    const isLate = startOf(request, clock.now()) < session.turnSeenAt;
    if (session.busy || isLate) {
      peer.answer({ event: "release" });
      return peer.end();
    }
    session.waiting?.answer({ event: "release" });
    session.waiting?.end();
    session.waiting = peer;
    peer.onEnd(() => {
      if (session.waiting === peer) session.waiting = null;
    });
    await delivery.consider(session);
  }

  return { turnStart, boundary, turnEnd, wait, is };
}

/** The bytes of a part of a text together with the empty line after it. */
const sizeOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text) + 2);

/** A field of an answer that has a text. */
const said = (field: "nudge" | "bundle" | "notice", text: string | null): Answer =>
  text === null ? {} : { [field]: text };

const handedAnswer = (handed: { id: string; text: string } | null): Answer =>
  handed ? { bundle: handed.text, handoff_id: handed.id } : {};
