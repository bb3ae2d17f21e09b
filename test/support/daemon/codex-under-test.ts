import { codexProfile } from "../../../src/client/harnesses/codex.ts";
import type { DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";
import { laterHook, type Daemon } from "./daemon-on-docs.ts";
import type { HarnessUnderTest } from "./harness-under-test.ts";
import { playedCodex } from "./played-codex.ts";
import { until } from "../wait-until.ts";

interface Played {
  turn: string;
  isWoken: boolean;
  readonly read: string[];
  /** What it read in the running turn and has not answered yet. */
  readonly fresh: string[];
  readonly answered: string[];
  /** The hook that runs. */
  hook: Promise<unknown>;
}

/** The adapter of Codex, with an app server and hooks that the test plays. */
export const codexUnderTest: HarnessUnderTest = {
  name: "Codex",
  make() {
    const codex = playedCodex();
    const sessions = new Map<string, Played>();
    let daemon: Daemon | null = null;
    let isOpen = false;
    let turns = 0;
    function at(id: string): Played {
      const lists = { read: [], fresh: [], answered: [] };
      const played = sessions.get(id) ?? {
        turn: "",
        isWoken: false,
        hook: Promise.resolve(),
        ...lists,
      };
      sessions.set(id, played);
      return played;
    }
    const isBusy = (session: string) => codex.threads.get(session)?.status === "active";
    function read(played: Played, text: string): void {
      played.read.push(text);
      played.fresh.push(text);
    }
    const answers = ({ answered, fresh }: Played) => answered.push(...fresh.splice(0));

    /** A hook runs after the one before it. */
    function hook(session: string, request: DaemonRequest): Promise<unknown> {
      const played = at(session);
      played.hook = played.hook.then(async () => {
        await laterHook();
        const { bundle } = await daemon!.ask({ session, ...request });
        if (bundle !== undefined) read(played, bundle);
      });
      // Whoever waits for the hook is told. The daemon may end with nobody waiting.
      played.hook.catch(() => {});
      return played.hook;
    }
    codex.seen.begin = ({ id }, entry) => {
      const played = at(id);
      const harness_turn = `turn-${++turns}`;
      Object.assign(played, { turn: harness_turn, isWoken: entry !== null });
      played.fresh.length = 0;
      if (entry) read(played, entry.text);
      const handoff = entry && { handoff_id: entry.clientUserMessageId };
      hook(id, { op: "turn_start", harness_turn, ...handoff }).catch(() => {});
    };

    async function openTerminal(): Promise<void> {
      if (isOpen) return;
      isOpen = true;
      codex.start();
      await codex.openScreen();
    }

    return {
      adapter: { ...codex.adapter, profile: codexProfile },
      drive(there) {
        daemon = there;
        return {
          async open(session) {
            await openTerminal();
            const isNew = !codex.threads.has(session);
            if (isNew) codex.thread(session);
            await there.ask({ op: "register", session });
            if (!isNew) codex.load(session);
          },
          async close(session) {
            await at(session).hook;
            codex.crash(session);
            await there.ask({ op: "end", session });
          },
          async type(session) {
            codex.prompt(session);
            await at(session).hook;
          },
          async woken(session) {
            await until(() => isBusy(session) && at(session).isWoken, "a turn");
            // A daemon that ends meanwhile ends the hook.
            await at(session).hook.catch(() => {});
          },
          async tool(session) {
            const played = at(session);
            answers(played);
            await hook(session, { op: "boundary", at: "after_tools", harness_turn: played.turn });
            await there.ask({ op: "status" });
          },
          async answer(session) {
            const played = at(session);
            answers(played);
            await hook(session, { op: "turn_end", harness_turn: played.turn });
            codex.end(session, "completed");
          },
          async fail(session) {
            await at(session).hook;
            codex.end(session, "failed");
            await there.ask({ op: "status" });
          },
          loseNext: () => void (codex.seen.losesNext = true),
          isBusy,
          read: (session) => at(session).read,
          answered: (session) => at(session).answered,
        };
      },
    };
  },
};
