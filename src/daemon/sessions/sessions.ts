import type { DaemonAnswer } from "../../client/machine/daemon-wire.ts";
import type { Db } from "../../db/engine/database.ts";
import {
  moveHandoffs,
  returnHanded,
  returnUnshown,
  unconfirmedTurn,
} from "../../db/journal/deliveries.ts";
import {
  allSessions,
  noteProcess,
  saveSession,
  seatsOf,
  sessionAt,
  type SeatRow,
  type SessionKey,
  type SessionRow,
} from "../../db/journal/journal-sessions.ts";
import { atMost } from "../loop/time-limit.ts";
import type { Harness } from "../harnesses/harness.ts";
import type { DaemonOptions } from "./held/daemon-options.ts";
import type { Peer, RawRequest } from "../socket/listen.ts";
import { createHookAnswers } from "./hook-answers.ts";
import { createQueues } from "./handing/queues.ts";
import { createDelivery } from "./handing/delivery.ts";
import { createEnding } from "./ending.ts";
import { createTurns } from "./handing/turns.ts";
import { createFeeds } from "./held/feeds.ts";
import { createSigns } from "./signs.ts";
import { overviewOf } from "./overview.ts";
import { createSeats } from "./requests/seats.ts";
import { leaveTurn, liveSession, moveTimes, type LiveSession } from "./held/live-session.ts";
import { toldAtStart, unknownSession } from "./requests/session-answers.ts";
import { untoldSession } from "./untold-session.ts";
import { configDirIn, harnessIn, neededText, processOf, textOf } from "./held/requests.ts";

type Answer = Omit<DaemonAnswer, "v">;

/** How long a daemon that stops waits for what its sessions are doing. */
const lastWorkMs = 5_000;
type Work = (session: LiveSession, request: RawRequest) => Promise<Answer>;

/** Makes the part that knows the sessions. Only it changes their state. */
export function createSessions(db: Db, options: DaemonOptions) {
  const { clock, harnesses, log } = options;
  const live = new Map<string, LiveSession>();
  const nameOf = ({ harness, id }: SessionKey) => `${harness}:${id}`;

  /** Runs work of a session after all that it began before. */
  function within<T>(session: LiveSession, work: () => Promise<T>): Promise<T> {
    const done = session.work.then(async () => {
      const result = await work();
      queues.update(session);
      return result;
    });
    session.work = done.catch(() => {});
    return done;
  }
  function later(session: LiveSession, work: () => Promise<void>): void {
    within(session, async () => {
      if (live.get(nameOf(session.key)) === session) await work();
    }).catch((error: unknown) => log(`${nameOf(session.key)}: ${String(error)}`));
  }

  const look = (session: LiveSession) => later(session, () => delivery.consider(session));

  const feeds = createFeeds(db, options, (key) => {
    const session = live.get(nameOf(key));
    if (!session) return;
    later(session, async () => {
      feeds.settle(key);
      await delivery.consider(session);
    });
  });
  const queues = createQueues(db, options, feeds);
  const harnessOf = ({ key }: LiveSession): Harness => harnessNamed(key.harness);
  const delivery = createDelivery(db, options, feeds, harnessOf, later);
  const { turnStart, boundary, turnEnd, wait, is } = createTurns(db, {
    clock,
    feeds,
    delivery,
    typed: options.typed,
    harnessOf,
    later,
  });

  const harnessNamed = (name: string): Harness => harnessIn(harnesses, name);
  const livesByConnection = ({ harness }: SessionKey) =>
    harnessNamed(harness).profile.lifecycle.liveness === "connection";

  function keyIn(request: RawRequest): SessionKey {
    const { harness } = harnessNamed(neededText(request, "harness")).profile;
    return { harness, id: neededText(request, "session") };
  }

  const rowOf = (key: SessionKey): SessionRow | null => db.read((tx) => sessionAt(tx, key));

  /** Opens a session: from here on its seats are followed. */
  async function open(key: SessionKey, row: Omit<SessionRow, keyof SessionKey | "open">) {
    await db.write((tx) => saveSession(tx, { ...key, ...row, open: 1 }));
    const session = live.get(nameOf(key)) ?? liveSession(key, row.boot, clock.elapsed());
    session.boot = row.boot;
    live.set(nameOf(key), session);
    harnessNamed(key.harness).follow?.(key.id, row.config_dir);
    feeds.follow(key);
    return session;
  }

  /** The open session that a hook speaks of. One that had ended and runs a turn is open again. */
  async function running(request: RawRequest): Promise<LiveSession> {
    const key = keyIn(request);
    const known = live.get(nameOf(key));
    if (known) return known;
    const { check } = harnessNamed(key.harness);
    if (livesByConnection(key)) {
      await check?.(key.id, null);
      const opened = live.get(nameOf(key));
      if (opened) return opened;
      throw unknownSession(key);
    }
    const { pid = null, start = null } = processOf(request) ?? {};
    const told = configDirIn(request);
    const row = rowOf(key) ?? (await untoldSession(harnessNamed(key.harness), key, told));
    return open(key, { ...row, pid, start, config_dir: told ?? row.config_dir });
  }

  async function register(request: RawRequest): Promise<Answer> {
    const key = keyIn(request);
    const before = rowOf(key);
    const kept = request["source"] === "compact" ? before?.boot : undefined;
    const boot = textOf(request, "boot") || kept || `boot_${crypto.randomUUID()}`;
    // A new boot is another process.
    const same = before?.boot === boot ? before : null;
    const { pid = null, start = null } = processOf(request) ?? same ?? {};
    const known = live.get(nameOf(key));
    if (before && before.boot !== boot) {
      await db.write((tx) => returnHanded(tx, key));
      if (known) {
        delivery.calm(known);
        leaveTurn(known);
      }
    }
    const session = await open(key, {
      boot,
      pid,
      start,
      turned: before?.turned ?? 0,
      config_dir: configDirIn(request) ?? before?.config_dir ?? null,
    });
    session.attention = null;
    if (request["busy"] === true) session.busy = true;
    feeds.report(key, session.busy ? "working" : "idle");
    look(session);
    const told = await toldAtStart(db, session, feeds, options);
    return { boot, ...(before?.open === 0 && { reopened: true }), ...told };
  }

  const seats = createSeats({
    db,
    options,
    feeds,
    running,
    leftBy,
    within,
    look,
    open: () => [...live.values()],
  });

  /** A seat has moved: what the harness of its old session holds for it is taken back, as far as that can be. */
  function leftBy({ harness, session: id }: SeatRow, now: LiveSession): void {
    if (harness === null || id === null || nameOf({ harness, id }) === nameOf(now.key)) return;
    const old = live.get(nameOf({ harness, id }));
    if (old) look(old);
    else delivery.takeBackFromClosed({ harness, id });
  }

  const { end, ended, closeGone } = createEnding({
    db,
    options,
    feeds,
    live,
    nameOf,
    keyIn,
    calm: (session) =>
      within(session, async () => {
        delivery.calm(session);
        session.busy = false;
        queues.update(session);
      }),
  });

  /** A hook says that its harness has the text, or a bell's hook that it has it. True if an answer waits for that. */
  async function received(request: RawRequest): Promise<boolean> {
    const handoff = textOf(request, "handoff_id");
    if (await hookAnswers.isPrinted(handoff)) return true;
    live.get(nameOf(keyIn(request)))?.received.add(handoff);
    return false;
  }

  /** A session that had ended and does something is open again, with the seats that it still holds. */
  async function openAgain(key: SessionKey): Promise<void> {
    const row = rowOf(key);
    // A session that lives by a connection comes back with it.
    if (!livesByConnection(key) && row && db.read((tx) => seatsOf(tx, key)).length > 0)
      await open(key, { ...row, pid: null, start: null });
  }
  const heard = { openAgain, end, later, is, answered: delivery.answered, log };
  const liveOf = (key: SessionKey) => live.get(nameOf(key));
  const hookAnswers = createHookAnswers({ db, keyIn, liveOf, lookLater: look, log });
  const stops = harnesses.map(({ profile: { harness }, start }) =>
    start?.(createSigns(harness, { ...heard, liveOf })),
  );

  /** A hook of a turn tells the process of a session whose start did not tell it. */
  async function noteProcessIn(request: RawRequest, { key }: LiveSession): Promise<void> {
    const told = processOf(request);
    if (told === null || livesByConnection(key) || rowOf(key)?.pid !== null) return;
    // A turn goes on also where this cannot be written down. The next hook tells it again.
    await db
      .write((tx) => noteProcess(tx, key, told))
      .catch((error: unknown) => log(`${nameOf(key)}: ${String(error)}`));
  }

  const ordered = async (request: RawRequest, work: Work): Promise<Answer> => {
    const session = await running(request);
    return within(session, async () => {
      await noteProcessIn(request, session);
      return work(session, request);
    });
  };

  return {
    register,
    received,
    feeds,
    sendWith: hookAnswers.sendWith,
    ...seats,
    end: ended,
    closeGone,
    turnStart: (request: RawRequest) => ordered(request, turnStart),
    turnEnd: (request: RawRequest) => ordered(request, turnEnd),
    boundary: (request: RawRequest) => ordered(request, boundary),
    async wait(request: RawRequest, peer: Peer) {
      const session = await running(request);
      await within(session, () => wait(session, request, peer));
    },
    /** Opens what was open when the last daemon ended, but for sessions that live by a connection. */
    async reopen() {
      for (const row of db.read(allSessions)) {
        const harness = harnesses.find(({ profile }) => profile.harness === row.harness);
        const key = { harness: row.harness, id: row.id };
        // One that comes back is open again.
        if (!row.open) harness?.follow?.(row.id, row.config_dir);
        if (!row.open || !harness) continue;
        if (livesByConnection(key)) {
          // It opens with the connection that holds it.
          await db.write((tx) => saveSession(tx, { ...row, open: 0 }));
          continue;
        }
        await db.write((tx) => returnUnshown(tx, key));
        const turn = db.read((tx) => unconfirmedTurn(tx, key)) ?? "";
        // Nobody knows whether a wake whose turn has not begun was ever shown. So it is handed again.
        await db.write((tx) => returnHanded(tx, key, { turn, wakesSince: clock.now() + 1 }));
        const session = await open(key, row);
        if (row.pid === null) harness.doubt?.(row.id);
        // The turn may still run, and prove that it had the text.
        Object.assign(session, { turn, busy: turn !== "", mayRun: turn === "" });
        if (turn !== "") session.turnsSeen.add(turn);
      }
    },
    /** The clock was set, or the machine slept. What is compared with the times of hooks moves along, and streams begin anew. */
    async clockJumped(by: number) {
      if (by < 0) for (const session of live.values()) moveTimes(session, by);
      else feeds.reconnect();
      await db.write((tx) => moveHandoffs(tx, by));
    },
    /** Reports again what each session does, which a server forgets after three minutes, and looks for turns that ended unseen. */
    renew() {
      for (const session of live.values()) {
        feeds.report(session.key, session.busy ? "working" : "idle");
        look(session);
      }
    },
    openSessions: () => live.size,
    overview: () => overviewOf(db, feeds, [...live.values()], clock.now()),
    /** Ends what the sessions do, after the requests that are being answered. */
    async stop(serving: readonly Promise<void>[]) {
      for (const stop of stops) stop?.();
      queues.stop();
      const works = [...live.values()].map((session) =>
        within(session, async () => delivery.calm(session)),
      );
      // A harness that is asked just now may not answer, and neither may a hook that prints.
      const ended = Promise.allSettled([...works, ...serving]).then(hookAnswers.ended);
      await atMost(clock, lastWorkMs, ended);
      live.clear();
      await feeds.stop();
    },
  };
}
