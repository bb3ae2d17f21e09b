import { mkdirSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { askDaemon, connectToDaemon } from "../../../src/client/machine/daemon-client.ts";
import { bellFile } from "../../../src/client/machine/daemon-files.ts";
import type { DaemonAgent, DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";

type Machine = Parameters<typeof askDaemon>[0];

/** Draws numbers from 0 up to 1, the same ones for the same seed. */
export function drawing(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Hears the bells of a home: calls what is registered for the bell's file. */
export function hearBells({ folders }: Machine) {
  const hearers = new Map<string, () => void>();
  const folder = join(folders.state, "bells");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const watcher = watch(folder, (_, name) => hearers.get(String(name))?.());
  return {
    hear: (session: string, act: () => void) =>
      void hearers.set(basename(bellFile(folders, "claude-code", session)), act),
    stop: () => watcher.close(),
  };
}

interface Playing {
  readonly machine: Machine;
  readonly session: string;
  readonly agent: DaemonAgent;
  readonly bells: ReturnType<typeof hearBells>;
  readonly draw: () => number;
  /** Resolves when a daemon runs. */
  daemonUp(): Promise<unknown>;
  /** The model has answered in a turn that held this text. */
  onAnswered(text: string): void;
  isOver(): boolean;
}

/**
 * Plays a Claude Code session to the end over the daemon's socket, as its hooks use it. At random its process dies, its person
 * interrupts it, a tool is called, and a hook that finds no daemon starts one or gives up.
 */
export async function playSession(given: Playing): Promise<void> {
  const { machine, session, agent, bells, draw, daemonUp, onAnswered, isOver } = given;
  const state = { rings: 0, isWaitingFor: () => {} };
  bells.hear(session, () => {
    state.rings++;
    state.isWaitingFor();
  });
  const chance = (share: number) => draw() < share;

  async function ask(request: DaemonRequest, mustAnswer = false) {
    const started = new Date().toISOString();
    while (!isOver())
      try {
        const whole = { harness: "claude-code", session, started, ...request };
        return await askDaemon(machine, whole);
      } catch {
        if (!mustAnswer && chance(0.3)) return null;
        await daemonUp();
        await Bun.sleep(5);
      }
    return null;
  }
  async function open(): Promise<void> {
    await ask({ op: "register", source: "resume" }, true);
    await ask({ op: "bind", agent }, true);
  }

  /** The hook of the bell: gives what it was handed. */
  async function wake(): Promise<{ text: string; handoff_id: string } | null> {
    const started = new Date().toISOString();
    const connection = await connectToDaemon(machine).catch(() => null);
    if (connection === null) return null;
    try {
      connection.send({ op: "wait", harness: "claude-code", session, started });
      await connection.next();
      const { event, bundle = "", handoff_id = "" } = await connection.next();
      // The hook dies before it says that it has the text.
      if (event !== "deliver" || chance(0.02)) return null;
      connection.send({ op: "received", harness: "claude-code", session, handoff_id });
      return { text: bundle, handoff_id };
    } catch {
      return null;
    } finally {
      connection.close();
    }
  }

  /** One turn. Gives false if the daemon may not know that it has ended. */
  async function turn(first: string[], handoff_id?: string): Promise<boolean> {
    const harness_turn = crypto.randomUUID();
    const fresh = first;
    let isKnown = true;
    const hook = async (request: DaemonRequest): Promise<boolean> => {
      // A hook proves nothing that was handed in the millisecond of its start.
      await Bun.sleep(2);
      const answer = await ask({ harness_turn, ...request });
      if (answer === null) isKnown = false;
      if (answer?.bundle !== undefined) fresh.push(answer.bundle);
      return answer?.bundle !== undefined;
    };
    const answers = () => {
      for (const text of fresh.splice(0)) onAnswered(text);
    };
    await hook({ op: "turn_start", ...(handoff_id !== undefined && { handoff_id }) });
    if (chance(0.02)) {
      // The process dies, and its person resumes the session.
      await open();
      return true;
    }
    if (chance(0.01)) return false;
    while (chance(0.5)) {
      answers();
      await hook({ op: "boundary", at: chance(0.5) ? "after_tools" : "before_tool" });
    }
    if (chance(0.01)) return false;
    isKnown = true;
    do answers();
    while (await hook({ op: "turn_end", takes_bundle: true }));
    return isKnown;
  }

  const rung = () =>
    new Promise<void>((resolve) => {
      if (state.rings > 0) return resolve();
      const timer = setTimeout(resolve, 500);
      state.isWaitingFor = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  await open();
  let isKnown = true;
  while (!isOver()) {
    if (!isKnown) {
      // After Esc, or a hook that found no daemon, the person types something.
      isKnown = await turn([]);
      continue;
    }
    await rung();
    if (state.rings === 0) continue;
    state.rings = 0;
    const woken = await wake();
    if (woken) isKnown = await turn([woken.text], woken.handoff_id);
  }
}
