import { claudeCodeProfile } from "../../../src/client/harnesses/claude-code.ts";
import type { Fate, HandedText, SessionSigns } from "../../../src/daemon/harnesses/harness.ts";
import type { DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";
import { until } from "../wait-until.ts";
import { laterHook, type Daemon } from "./daemon-on-docs.ts";
import type { HarnessUnderTest } from "./harness-under-test.ts";

interface Text extends HandedText {
  state: "waiting" | "running" | "unanswered" | "answered";
}

interface Played {
  turn: string | null;
  /** Whether the running turn began with a text of the daemon. */
  isWoken: boolean;
  loses: boolean;
  readonly texts: Text[];
  readonly read: string[];
  /** What it read in the running turn and has not answered yet. */
  fresh: string[];
  readonly answered: string[];
  /** The hook that runs. */
  hook: Promise<unknown>;
}

/**
 * A harness that takes texts by itself, with everything that it does. One that puts no text into a running turn runs hooks,
 * which tell the daemon of turns and tools. The other one runs none.
 */
export const playedQueue = (joinsTurn: boolean): HarnessUnderTest => ({
  name: joinsTurn ? "a played harness whose turn takes texts" : "a played harness with a queue",
  make() {
    const sessions = new Map<string, Played>();
    let signs: SessionSigns | null = null;
    let daemon: Daemon | null = null;
    let turns = 0;
    function at(id: string): Played {
      const fresh = { turn: null, isWoken: false, loses: false, texts: [] };
      const lists = { read: [], fresh: [], answered: [] };
      const played = sessions.get(id) ?? { ...fresh, ...lists, hook: Promise.resolve() };
      sessions.set(id, played);
      return played;
    }

    /** A hook runs after the one before it. */
    function hook(session: string, request: DaemonRequest): Promise<unknown> {
      const played = at(session);
      if (joinsTurn) return Promise.resolve();
      played.hook = played.hook.then(async () => {
        await laterHook();
        const { bundle } = await daemon!.ask({ session, ...request });
        if (bundle !== undefined) read(played, bundle);
      });
      // Whoever waits for the hook is told. The daemon may end with nobody waiting.
      played.hook.catch(() => {});
      return played.hook;
    }

    function take(played: Played, text: Text): void {
      text.state = "running";
      read(played, text.text);
    }
    function read(played: Played, text: string): void {
      played.read.push(text);
      played.fresh.push(text);
    }
    const answers = ({ answered, fresh }: Played) => answered.push(...fresh.splice(0));

    function begin(session: string, isWoken: boolean): Promise<unknown> {
      const played = at(session);
      const harness_turn = (played.turn = `turn-${++turns}`);
      played.isWoken = isWoken;
      const waiting = played.texts.filter(({ state }) => state === "waiting");
      const taken = joinsTurn ? waiting : waiting.slice(0, 1);
      for (const text of taken) take(played, text);
      signs!.is(session, "busy");
      const wake = taken[0] && { handoff_id: taken[0].id };
      return hook(session, { op: "turn_start", harness_turn, ...wake });
    }

    /** Begins a turn that nobody asked for. Its hook may still run when the test is over and the daemon has stopped. */
    const beginAlone = (session: string): void => void begin(session, true).catch(() => {});

    function end(session: string, state: "unanswered" | "answered"): void {
      const played = at(session);
      Object.assign(played, { turn: null, fresh: [] });
      for (const text of played.texts) if (text.state === "running") text.state = state;
    }

    const beginWaiting = (session: string) => {
      if (at(session).texts.some(({ state }) => state === "waiting")) beginAlone(session);
    };

    return {
      adapter: {
        profile: claudeCodeProfile,
        wake: {
          kind: "push",
          joinsTurn,
          async hand(session, text) {
            const played = at(session);
            if (played.loses) {
              played.loses = false;
              setImmediate(() => signs!.is(session, "idle"));
              return;
            }
            const known = played.texts.find(({ id }) => id === text.id);
            const own = known ?? { ...text, state: "waiting" };
            if (!known) played.texts.push(own);
            if (own.state === "unanswered") own.state = "waiting";
            if (played.turn === null) beginAlone(session);
            else if (joinsTurn) take(played, own);
          },
          async fate(session, handoff): Promise<Fate> {
            const text = at(session).texts.find(({ id }) => id === handoff);
            if (text === undefined) return "absent";
            return text.state === "running" ? "waiting" : text.state;
          },
        },
        start(given) {
          signs = given;
          return () => {};
        },
      },
      drive(there) {
        daemon = there;
        return {
          async open(session) {
            await there.ask({ op: "register", session });
            beginWaiting(session);
          },
          async close(session) {
            await at(session).hook;
            end(session, "unanswered");
            await there.ask({ op: "end", session });
          },
          type: async (session) => void (await begin(session, false)),
          async woken(session) {
            await until(() => at(session).turn !== null && at(session).isWoken, "a turn");
            await at(session).hook;
          },
          async tool(session) {
            answers(at(session));
            await hook(session, { op: "boundary", harness_turn: at(session).turn! });
            await there.ask({ op: "status" });
          },
          async answer(session) {
            const played = at(session);
            answers(played);
            const running = played.texts.filter(({ state }) => state === "running");
            await hook(session, { op: "turn_end", harness_turn: played.turn! });
            end(session, "answered");
            for (const { id } of running) signs!.answered(session, id);
            signs!.is(session, "idle");
            beginWaiting(session);
          },
          async fail(session) {
            await at(session).hook;
            end(session, "unanswered");
            signs!.is(session, "failed");
            await there.ask({ op: "status" });
          },
          loseNext: (session) => void (at(session).loses = true),
          isBusy: (session) => at(session).turn !== null,
          read: (session) => at(session).read,
          answered: (session) => at(session).answered,
        };
      },
    };
  },
});
