import type { DaemonAnswer } from "../../client/machine/daemon-wire.ts";
import type { Db } from "../../db/engine/database.ts";
import { returnHanded, unconfirmedTurn } from "../../db/journal/deliveries.ts";
import {
  allSessions,
  bindSeat,
  lostBy,
  saveSession,
  seatsOf,
  sessionAt,
  type SessionKey,
  type SessionRow,
} from "../../db/journal/journal-sessions.ts";
import type { Harness } from "../harnesses/harness.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { Peer, RawRequest } from "../socket/listen.ts";
import { createDelivery } from "./delivery.ts";
import { createTurns } from "./turns.ts";
import { agentOf, createFeeds } from "./feeds.ts";
import { liveSession, type LiveSession } from "./live-session.ts";
import { agentIn, neededText, processOf, RequestRefused, textOf } from "./requests.ts";

type Answer = Omit<DaemonAnswer, "v">;

/** Makes the part that knows the sessions. Only it changes their state. */
export function createSessions(db: Db, options: DaemonOptions) {
  const { clock, harnesses } = options;
  const live = new Map<string, LiveSession>();
  const nameOf = ({ harness, id }: SessionKey) => `${harness}:${id}`;

  /** Runs work of a session after all that it began before. */
  function within<T>(session: LiveSession, work: () => Promise<T>): Promise<T> {
    const done = session.work.then(work);
    session.work = done.catch(() => {});
    return done;
  }
  function later(session: LiveSession, work: () => Promise<void>): void {
    within(session, async () => {
      if (live.get(nameOf(session.key)) === session) await work();
    }).catch((error: unknown) => options.log(`${nameOf(session.key)}: ${String(error)}`));
  }

  const feeds = createFeeds(db, options, (key) => {
    const session = live.get(nameOf(key));
    if (!session) return;
    later(session, async () => {
      feeds.settle(key);
      await delivery.consider(session);
    });
  });
  const harnessOf = ({ key }: LiveSession): Harness => harnessNamed(key.harness);
  const delivery = createDelivery(db, options, feeds, harnessOf, later);
  const { turnStart, boundary, turnEnd, wait } = createTurns(db, {
    ...{ clock, feeds, delivery, harnessOf, later },
  });

  function harnessNamed(name: string): Harness {
    const found = harnesses.find((harness) => harness.name === name);
    if (found) return found;
    const known = harnesses.map((harness) => harness.name).join(", ");
    throw new RequestRefused(
      "invalid_request",
      `This daemon knows no harness ${name}.`,
      `It knows ${known}.`,
    );
  }

  function keyIn(request: RawRequest): SessionKey {
    const harness = harnessNamed(neededText(request, "harness")).name;
    return { harness, id: neededText(request, "session") };
  }

  const rowOf = (key: SessionKey): SessionRow | null => db.read((tx) => sessionAt(tx, key));

  /** Opens a session: from here on its seats are followed. */
  async function open(key: SessionKey, row: Omit<SessionRow, keyof SessionKey | "open">) {
    await db.write((tx) => saveSession(tx, { ...key, ...row, open: 1 }));
    const session = live.get(nameOf(key)) ?? liveSession(key, row.boot, clock.now());
    session.boot = row.boot;
    live.set(nameOf(key), session);
    feeds.follow(key);
    return session;
  }

  /** The open session that a hook speaks of. One that had ended and runs a turn is open again. */
  async function running(request: RawRequest): Promise<LiveSession> {
    const key = keyIn(request);
    const known = live.get(nameOf(key));
    if (known) return known;
    const row = rowOf(key);
    if (!row) throw unknownSession(key);
    const process = processOf(request);
    return open(key, { ...row, pid: process?.pid ?? null, start: process?.start ?? null });
  }

  async function register(request: RawRequest): Promise<Answer> {
    const key = keyIn(request);
    const before = rowOf(key);
    const process = processOf(request);
    const kept = request["source"] === "compact" ? before?.boot : undefined;
    const boot = textOf(request, "boot") || kept || `boot_${crypto.randomUUID()}`;
    const known = live.get(nameOf(key));
    if (before && before.boot !== boot) {
      await db.write((tx) => returnHanded(tx, key));
      if (known) {
        delivery.calm(known);
        Object.assign(known, { busy: false, turn: "", quietUntil: 0, failures: 0 });
      }
    }
    const session = await open(key, {
      boot,
      pid: process?.pid ?? before?.pid ?? null,
      start: process?.start ?? before?.start ?? null,
      turned: before?.turned ?? 0,
    });
    feeds.report(key, session.busy ? "working" : "idle");
    later(session, () => delivery.consider(session));
    const agents = db.read((tx) => seatsOf(tx, key)).map(agentOf);
    const lost = agents.length === 0 ? db.read((tx) => lostBy(tx, key)) : null;
    return {
      boot,
      agents,
      ...(before?.open === 0 && { reopened: true }),
      ...(lost && { lost: agentOf(lost) }),
      ...noteFor(agents, lost && agentOf(lost)),
    };
  }

  async function bind(request: RawRequest): Promise<Answer> {
    const session = await running(request);
    const agent = agentIn(request);
    if (!options.hasSeat(agent))
      throw new RequestRefused(
        "invalid_request",
        `This machine has no token of ${agent.name} on ${agent.board}.`,
        "Join the board first: `service join`.",
      );
    const replaced = await db.write((tx) => bindSeat(tx, agent, session.key));
    for (const { key } of live.values()) feeds.follow(key);
    feeds.report(session.key, session.busy ? "working" : "idle");
    const agents = db.read((tx) => seatsOf(tx, session.key)).map(agentOf);
    return { boot: session.boot, agents, ...(replaced && { previous: agentOf(replaced) }) };
  }

  async function end(key: SessionKey): Promise<Answer> {
    const session = live.get(nameOf(key));
    if (session) await within(session, async () => delivery.calm(session));
    live.delete(nameOf(key));
    const row = rowOf(key);
    if (row)
      await db.write((tx) => {
        saveSession(tx, { ...row, open: 0 });
        returnHanded(tx, key);
      });
    await feeds.leave(key);
    return {};
  }

  /** A bell's hook says that it has its text. */
  function received(request: RawRequest): void {
    const handoff = textOf(request, "handoff_id");
    const session = live.get(nameOf(keyIn(request)));
    session?.received.add(handoff);
  }

  const ordered = async (
    request: RawRequest,
    work: (session: LiveSession, request: RawRequest) => Promise<Answer>,
  ): Promise<Answer> => {
    const session = await running(request);
    return within(session, () => work(session, request));
  };

  return {
    ...{ register, bind, received, feeds },
    end: (request: RawRequest) => end(keyIn(request)),
    agents: async (request: RawRequest): Promise<Answer> => {
      const { key, boot } = await running(request);
      return { boot, agents: db.read((tx) => seatsOf(tx, key)).map(agentOf) };
    },
    turnStart: (request: RawRequest) => ordered(request, turnStart),
    turnEnd: (request: RawRequest) => ordered(request, turnEnd),
    boundary: (request: RawRequest) => ordered(request, boundary),
    async wait(request: RawRequest, peer: Peer) {
      const session = await running(request);
      await within(session, () => wait(session, request, peer));
    },
    /** Opens what was open when the last daemon ended. */
    async reopen() {
      for (const row of db.read(allSessions)) {
        if (!row.open || !harnesses.some(({ name }) => name === row.harness)) continue;
        const key = { harness: row.harness, id: row.id };
        const turn = db.read((tx) => unconfirmedTurn(tx, key)) ?? "";
        // Nobody knows whether a wake whose turn has not begun was ever shown. So it is handed again.
        await db.write((tx) => returnHanded(tx, key, { turn, wakesSince: clock.now() + 1 }));
        const session = await open(key, row);
        // The turn may still run, and prove that it had the text.
        Object.assign(session, { turn, busy: turn !== "" });
      }
    },
    /** Closes every session whose process is gone. */
    async closeGone() {
      for (const { key } of live.values()) {
        const { pid, start } = rowOf(key) ?? { pid: null, start: null };
        if (pid !== null && !options.isRunning({ pid, start: start ?? "" })) await end(key);
      }
    },
    /** Reports again what each session does, which a server forgets after three minutes, and looks for turns that ended unseen. */
    renew() {
      for (const session of live.values()) {
        feeds.report(session.key, session.busy ? "working" : "idle");
        later(session, () => delivery.consider(session));
      }
    },
    openSessions: () => live.size,
    bindings: () =>
      db.read((tx) =>
        allSessions(tx).flatMap((row) =>
          seatsOf(tx, row).map((seat) => ({
            agent: agentOf(seat),
            session: nameOf(row),
            open: row.open === 1,
            turned: row.turned === 1,
          })),
        ),
      ),
    async stop() {
      const works = [...live.values()].map((session) =>
        within(session, async () => delivery.calm(session)),
      );
      await Promise.allSettled(works);
      live.clear();
      await feeds.stop();
    },
  };
}

function noteFor(
  agents: readonly { name: string; board: string }[],
  lost: { name: string } | null,
) {
  if (lost)
    return {
      note: `Another session has taken the seat of ${lost.name}. To take it back: service resume ${lost.name}`,
    };
  if (agents.length === 0) return {};
  const seats = agents.map(({ name, board }) => `${name} on the board ${board}`).join(", ");
  return { note: `You are ${seats}. Messages from there come to you by themselves.` };
}

const unknownSession = ({ harness, id }: SessionKey) =>
  new RequestRefused(
    "session_unknown",
    `The daemon does not know the session ${harness}:${id}.`,
    "Its session-start hook tells the daemon: set the hooks up with `service init`, then start the session again.",
  );
