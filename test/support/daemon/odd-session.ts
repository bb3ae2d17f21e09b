import {
  connectToDaemon,
  type DaemonConnection,
} from "../../../src/client/machine/daemon-client.ts";
import type {
  DaemonAgent,
  DaemonAnswer,
  DaemonRequest,
} from "../../../src/client/machine/daemon-wire.ts";
import type { Daemon } from "./daemon-on-docs.ts";
import type { MovableClock } from "./movable-clock.ts";

interface Given {
  readonly there: Daemon;
  readonly clock: MovableClock;
  readonly draw: () => number;
  /** The model has answered in a turn that held this text. */
  onAnswered(text: string): void;
  /** The number of the next turn of any session. */
  nextTurn(): number;
}

/** How long the hook of a bell waits before it gives up, in milliseconds. */
const waitMs = 60;

/** The most bytes of what a hook adds to a turn, and of what wakes a session. */
const mostContextBytes = 9_000;
const mostWakeBytes = 32 * 1024;

function refuseLonger(text: string, most: number): void {
  if (Buffer.byteLength(text) > most) throw new Error(`a text has more than ${most} bytes`);
}

/**
 * A Claude Code session whose hooks come late, twice or never, as the draws want it. It keeps what the model's next call reads, so
 * that it knows what the model has answered: what Esc takes back is dropped, and a prompt that comes while a turn runs is read after
 * the next tools or in a turn of its own.
 */
export function oddSession(id: string, first: number, given: Given) {
  const { there, clock, draw, onAnswered, nextTurn } = given;
  const chance = (share: number) => draw() < share;
  const sent: DaemonRequest[] = [];
  let process = first;
  let isOpen = false;
  let turn = "";
  let lastTurn = "";
  /** What the model's next call reads, and what of it Esc takes back. */
  let fresh: string[] = [];
  let typed: string[] = [];
  /** Prompts whose hook has run and which the model has not read. */
  let kept: string[] = [];
  let seenRings = 0;

  const about = () => ({
    harness: "fake",
    session: id,
    started: new Date(clock.now()).toISOString(),
    process: { pid: process, start: String(process) },
  });
  function forget(): void {
    [turn, lastTurn, fresh, typed, kept] = ["", "", [], [], []];
  }

  async function ask(request: DaemonRequest): Promise<DaemonAnswer | null> {
    // A hook proves nothing that was handed in the millisecond of its start.
    await Bun.sleep(2);
    const whole = { ...about(), ...request };
    sent.push(whole);
    return there.ask(whole).catch(() => null);
  }

  /** An earlier hook once more, whose harness has given it up: nobody has what it is answered. */
  async function lateHook(): Promise<void> {
    const old = sent[sent.length - 2 - Math.floor(draw() * 3)];
    if (!old || !["turn_start", "boundary", "turn_end"].includes(old.op)) return;
    const connection = await connectToDaemon(there.machine);
    connection.send({ ...old, says_received: true });
    await connection.next().catch(() => {});
    connection.close();
  }

  async function hook(request: DaemonRequest): Promise<string[]> {
    const answer = await ask(request);
    if (chance(0.05)) await lateHook();
    const parts = [answer?.nudge, answer?.bundle, answer?.notice].filter(
      (part) => part !== undefined,
    );
    refuseLonger(parts.join("\n\n"), mostContextBytes);
    return answer?.bundle === undefined ? [] : [answer.bundle];
  }
  function answers(): void {
    for (const text of fresh) onAnswered(text);
    [fresh, typed] = [[], []];
  }
  const beginTurn = () => (turn = lastTurn = `t${nextTurn()}`);

  /** A prompt: the person's own, or that of a wake. */
  async function prompt(text: string, handoff_id?: string): Promise<void> {
    const isRunning = turn !== "";
    if (!isRunning) beginTurn();
    const handoff = handoff_id !== undefined && { handoff_id };
    const added = await hook({ op: "turn_start", harness_turn: turn, ...handoff });
    if (isRunning) return void kept.push(text, ...added);
    fresh.push(text, ...added);
    if (handoff_id === undefined) typed.push(...added);
  }

  async function tools(): Promise<void> {
    if (turn === "") return;
    answers();
    const boundary = { op: "boundary", harness_turn: turn } as const;
    for (let count = chance(0.3) ? 2 : 1; count > 0; count--)
      await hook({ ...boundary, at: "before_tool" });
    if (chance(0.2)) await prompt("typed");
    const read = kept.splice(0);
    fresh.push(...(await hook({ ...boundary, at: "after_tools" })), ...read);
  }

  /** Takes what the daemon has for the bell's hook, which may die with it. */
  async function woken(connection: DaemonConnection) {
    const named = lastTurn !== "" && { harness_turn: lastTurn };
    connection.send({ op: "wait", ...about(), ...named });
    await connection.next();
    const released = Bun.sleep(waitMs).then((): DaemonAnswer => ({ v: 1, event: "release" }));
    const answer = await Promise.race([connection.next(), released]);
    const { event, bundle = "", handoff_id = "" } = answer;
    refuseLonger(bundle, mostWakeBytes);
    if (event !== "deliver" || chance(0.1)) return null;
    connection.send({ op: "received", ...about(), handoff_id });
    return { bundle, handoff_id };
  }

  return {
    isOpen: () => isOpen,
    isBusy: () => turn !== "",
    /** The daemon has been started anew, and its rings are counted from the first. */
    forgetRings: () => void (seenRings = 0),
    bind: (agent: DaemonAgent) => ask({ op: "bind", agent }),
    async open() {
      if (chance(0.5)) process++;
      forget();
      isOpen = true;
      await ask({ op: "register", source: "resume" });
    },
    async close() {
      if (chance(0.5)) await ask({ op: "end" });
      else there.gone.add(process++);
      forget();
      isOpen = false;
    },
    type: () => prompt("typed"),
    tools,
    /** Answers the bell, if it has rung. */
    async ring() {
      const rings = there.rings.filter((session) => session === id).length;
      if (rings === seenRings) return;
      seenRings = rings;
      const connection = await connectToDaemon(there.machine);
      try {
        const wake = await woken(connection);
        connection.close();
        // The harness may lose it, the person may be faster, and a turn may go on meanwhile.
        if (wake === null || chance(0.05)) return;
        if (chance(0.2)) await prompt("typed");
        if (chance(0.1)) await tools();
        await prompt(wake.bundle, wake.handoff_id);
      } finally {
        connection.close();
      }
    },
    /** The turn ends, if the daemon adds nothing to it. */
    async stop() {
      if (turn === "") return;
      answers();
      const added = await hook({ op: "turn_end", harness_turn: turn, takes_bundle: true });
      if (added.length > 0) return void fresh.push(...added);
      turn = "";
      const read = kept.splice(0);
      if (read.length === 0) return;
      // No hook tells of its beginning.
      beginTurn();
      fresh.push(...read);
    },
    /** The turn ends by an error of the model's server. What it held stays in the conversation. */
    async fail() {
      if (turn === "") return;
      await hook({ op: "turn_end", harness_turn: turn, failed: true });
      fresh.push(...kept.splice(0));
      [turn, typed] = ["", []];
    },
    /** The person presses Esc, and no hook runs. A prompt that was not answered is taken back with what was added to it. */
    escape() {
      if (turn === "") return;
      fresh = fresh.filter((text) => !typed.includes(text));
      fresh.push(...kept.splice(0));
      [turn, typed] = ["", []];
    },
  };
}

/** A session that `oddSession` plays. */
export type OddSession = ReturnType<typeof oddSession>;
