import { isDiskFull } from "../client/files/full-disk.ts";
import { daemonJournal } from "../client/machine/daemon-files.ts";
import { watchClock } from "./loop/watch-clock.ts";
import { pruneHandoffs } from "../db/journal/deliveries.ts";
import { allSessions, pruneSessions } from "../db/journal/journal-sessions.ts";
import { openJournal } from "../db/journal/journal.ts";
import type { DaemonAnswer, DaemonStatus } from "../client/machine/daemon-wire.ts";
import type { DaemonOptions } from "./sessions/held/daemon-options.ts";
import { createHellos } from "./extensions/take-hello.ts";
import { RequestRefused } from "./sessions/held/requests.ts";
import { createSessions } from "./sessions/sessions.ts";
import { holdHome } from "./socket/hold-home.ts";
import { listen, type Peer, type RawRequest } from "./socket/listen.ts";

/** A daemon that runs in this process. */
export interface RunningDaemon {
  stop(): Promise<void>;
}

/** The operations of commands that read, whose connections stay open. */
const isReading = (op: unknown): op is "hold" | "inbox" | "claim" =>
  op === "hold" || op === "inbox" || op === "claim";

const tickMs = 5_000;
const presenceMs = 60_000;
const idleExitMs = 600_000;
const keepHandoffsMs = 7 * 86_400_000;
const keepFilesMs = 30 * 86_400_000;
const tidyMs = 86_400_000;

/** Starts the daemon of this home in this process. Null if another process is it already. */
export async function startDaemon(options: DaemonOptions): Promise<RunningDaemon | null> {
  const { machine, clock, log } = options;
  const home = holdHome(machine, options.pid, options.build);
  if (home === null) return null;
  const journal = openJournal(daemonJournal(machine.folders));
  const db = options.wrapJournal?.(journal) ?? journal;
  const sessions = createSessions(db, options);
  const takenByExtension = createHellos(options.harnesses, sessions);
  const began = clock.elapsed();
  const state = { stopping: false, idleSince: began, reportedAt: began, tidiedAt: began };
  const lookAtClock = watchClock(clock, (by) => {
    // Servers forget after three minutes what a session does.
    state.reportedAt -= presenceMs;
    sessions.clockJumped(by).catch((error: unknown) => log(`after a jump: ${String(error)}`));
  });
  let cancelTick = () => {};
  /** The requests that are being answered. */
  const serving = new Set<Promise<void>>();

  const status = (): DaemonStatus => ({
    pid: options.pid,
    build: options.build,
    open_sessions: sessions.openSessions(),
    multi_seat: true,
    ...sessions.overview(),
  });

  async function answerTo(request: RawRequest): Promise<Omit<DaemonAnswer, "v">> {
    if (state.stopping)
      throw new RequestRefused("daemon_not_running", "The daemon is stopping.", "Try again.");
    switch (request["op"]) {
      case "status":
        return { status: status() };
      case "register":
        return sessions.register(request);
      case "bind":
        return sessions.bind(request);
      case "agents":
        return sessions.agents(request);
      case "boards":
        return sessions.boards(request);
      case "join":
        return sessions.join(request);
      case "create_board":
        return sessions.createBoard(request);
      case "pairing":
        return sessions.pairing(request);
      case "plan":
        return sessions.plan(request);
      case "mode":
        return sessions.mode(request);
      case "prompt":
      case "turn_start":
        return sessions.turnStart(request);
      case "turn_end":
        return sessions.turnEnd(request);
      case "boundary":
        return sessions.boundary(request);
      case "end":
        return sessions.end(request);
      case "stop":
        clock.after(0, options.onStop);
        return {};
      default:
        throw new RequestRefused(
          "invalid_request",
          `This daemon knows no operation ${String(request["op"])}.`,
          "It may be of an older build: `service down` stops it, and the next command starts this one.",
        );
    }
  }

  async function serve(peer: Peer, request: RawRequest): Promise<void> {
    lookAtClock();
    try {
      if (takenByExtension(peer, request, state.stopping)) return;
      // What a hook says about the answer that it has got still counts while the daemon stops.
      if (request["op"] === "received" && ((await sessions.received(request)) || !state.stopping))
        return;
      if (!state.stopping && request["op"] === "wait") return await sessions.wait(request, peer);
      if (!state.stopping && isReading(request["op"]))
        return await sessions.reading[request["op"]](peer, request);
      const answer = await answerTo(request);
      const { handoff_id } = answer;
      if (handoff_id !== undefined)
        return await sessions.sendWith(peer, request, answer, handoff_id);
      peer.answer(answer);
      peer.end();
    } catch (error) {
      if (error instanceof RequestRefused)
        return peer.refuse(error.code, error.message, error.hint, error.details);
      log(`${String(request["op"])}: ${String(error)}`);
      if (isDiskFull((error as { code?: string }).code))
        return peer.refuse(
          "disk_full",
          "The disk with the daemon's journal is full.",
          "Make room, and run the command again. What waits for sessions is kept by their servers.",
        );
      peer.refuse("internal", "The daemon failed.", "Its log says why.");
    }
  }

  async function tick(): Promise<void> {
    const now = clock.elapsed();
    lookAtClock();
    await sessions.closeGone();
    if (now - state.reportedAt >= presenceMs) {
      state.reportedAt = now;
      sessions.renew();
    }
    if (now - state.tidiedAt >= tidyMs) {
      state.tidiedAt = now;
      await tidy();
    }
    if (sessions.openSessions() > 0) state.idleSince = now;
    else if (now - state.idleSince >= idleExitMs) options.onStop();
  }
  function keepTicking(): void {
    cancelTick = clock.after(tickMs, () => {
      tick()
        .catch((error: unknown) => log(`looking after sessions: ${String(error)}`))
        .finally(() => {
          if (!state.stopping) keepTicking();
        });
    });
  }

  /** Forgets what is over: a daemon with a session that never ends would keep all that was ever handed. */
  async function tidy(): Promise<void> {
    await db.write((tx) => {
      pruneHandoffs(tx, clock.now() - keepHandoffsMs);
      pruneSessions(tx);
    });
    const known = db.read(allSessions);
    for (const { profile, tidy } of options.harnesses)
      try {
        const own = known.filter(({ harness }) => harness === profile.harness);
        tidy?.(
          own.map(({ id }) => id),
          clock.now() - keepFilesMs,
        );
      } catch (error) {
        log(`tidying: ${String(error)}`);
      }
  }

  await tidy();
  await sessions.reopen();
  await sessions.closeGone();
  sessions.renew();
  const close = listen({
    path: home.socket,
    userId: machine.system.userId,
    onRequest(peer, request) {
      const served = serve(peer, request);
      serving.add(served);
      void served.finally(() => serving.delete(served));
    },
  });
  keepTicking();

  return {
    async stop() {
      if (state.stopping) return;
      state.stopping = true;
      cancelTick();
      await sessions.stop([...serving]);
      close();
      db.close();
      home.release();
    },
  };
}
