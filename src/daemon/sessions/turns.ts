import type { DaemonAnswer } from "../../client/machine/daemon-wire.ts";
import type { Db } from "../../db/engine/database.ts";
import { confirmHanded, returnHanded, saveTurn } from "../../db/journal/deliveries.ts";
import { saveSession, sessionAt } from "../../db/journal/journal-sessions.ts";
import type { Harness } from "../harnesses/harness.ts";
import type { Clock } from "../loop/clock.ts";
import type { Peer, RawRequest } from "../socket/listen.ts";
import type { Delivery } from "./delivery.ts";
import type { Feeds } from "./feeds.ts";
import type { LiveSession } from "./live-session.ts";
import { noticeOf } from "./notice.ts";
import { startOf, textOf } from "./requests.ts";

type Answer = Omit<DaemonAnswer, "v">;

/** How long a wake may take to begin its turn before it is handed again. */
const wakeMs = 60_000;
const firstFailureMs = 15_000;
const longestFailureMs = 600_000;

interface Parts {
  readonly clock: Clock;
  readonly feeds: Feeds;
  readonly delivery: Delivery;
  harnessOf(session: LiveSession): Harness;
  /** Runs work of a session after what it does now. */
  later(session: LiveSession, work: () => Promise<void>): void;
}

/** Makes the part that hears of turns. Every function runs within the work of the session that it gets. */
export function createTurns(db: Db, { clock, feeds, delivery, harnessOf, later }: Parts) {
  /** Notes that a turn runs. */
  function turns(session: LiveSession, turn: string): void {
    const now = clock.now();
    if (!session.busy) feeds.report(session.key, "working");
    Object.assign(session, { busy: true, heardAt: now, turnSeenAt: now });
    if (turn !== "") session.turn = turn;
  }

  async function turnStart(session: LiveSession, request: RawRequest): Promise<Answer> {
    const turn = textOf(request, "harness_turn");
    const handoff = textOf(request, "handoff_id");
    const idle = !session.busy;
    // A wake that meets a turn joins it: then its prompt has the id of that turn.
    const ranBefore = turn === session.turn;
    turns(session, turn);
    session.turnEndBundles = 0;
    delivery.calm(session);
    const { key, boot } = session;
    await db.write((tx) => {
      const row = sessionAt(tx, key);
      if (row && !row.turned) saveSession(tx, { ...row, turned: 1 });
      if (handoff !== "" && turn !== "") saveTurn(tx, key, boot, handoff, turn, ranBefore);
      returnHanded(tx, key, { turn, wakesSince: clock.now() - wakeMs });
    });
    if (turn === "") return {};
    const bytes = harnessOf(session).contextBytes;
    return handedAnswer(await delivery.hand(session, "turn_start", { bytes, turn, idle }));
  }

  /** Confirms what this hook proves. A hook that does not name its turn proves nothing. */
  async function confirm(session: LiveSession, request: RawRequest, idleOnly: boolean) {
    const turn = textOf(request, "harness_turn");
    if (turn === "") return;
    const { key, boot } = session;
    const given = textOf(request, "boot");
    if (given !== "" && given !== boot) return;
    const started = startOf(request, clock.now());
    const evidence = { session: key, boot, turn, started, idleOnly };
    if ((await db.write((tx) => confirmHanded(tx, evidence))) === 0) return;
    session.failures = 0;
    feeds.settle(key);
  }

  async function boundary(session: LiveSession, request: RawRequest): Promise<Answer> {
    await confirm(session, request, request["at"] !== "before_tool");
    const turn = textOf(request, "harness_turn");
    turns(session, turn);
    delivery.calm(session);
    if (turn === "") return {};
    const bytes = harnessOf(session).contextBytes;
    const handed = await delivery.hand(session, "mid_turn", { bytes, turn, idle: false });
    const announced = new Map(session.announced);
    const notice = noticeOf(feeds.seatsOf(session.key), announced);
    const left = bytes - Buffer.byteLength(handed?.text ?? "");
    const fits = notice !== null && Buffer.byteLength(notice) < left;
    if (fits) session.announced = announced;
    return { ...handedAnswer(handed), ...(fits && { notice }) };
  }

  async function turnEnd(session: LiveSession, request: RawRequest): Promise<Answer> {
    const failed = request["failed"] === true;
    const turn = textOf(request, "harness_turn");
    const now = clock.now();
    const { key } = session;
    session.heardAt = now;
    if (failed) {
      await db.write((tx) => returnHanded(tx, key));
      const pause = Math.min(firstFailureMs * 2 ** session.failures++, longestFailureMs);
      session.quietUntil = now + pause;
    } else {
      await confirm(session, request, false);
      const { contextBytes: bytes, turnEndBundles } = harnessOf(session);
      const mayHand = request["takes_bundle"] === true && session.turnEndBundles < turnEndBundles;
      const handed =
        mayHand && turn !== ""
          ? await delivery.hand(session, "wake", { bytes, turn, idle: false })
          : null;
      if (handed) {
        session.turnEndBundles++;
        turns(session, turn);
        return handedAnswer(handed);
      }
    }
    session.busy = false;
    feeds.report(key, "idle");
    later(session, () => delivery.consider(session));
    return {};
  }

  async function wait(session: LiveSession, request: RawRequest, peer: Peer): Promise<void> {
    peer.answer({ event: "waiting", boot: session.boot });
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

  return { turnStart, boundary, turnEnd, wait };
}

const handedAnswer = (handed: { id: string; text: string } | null): Answer =>
  handed ? { bundle: handed.text, handoff_id: handed.id } : {};
