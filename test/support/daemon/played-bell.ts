import { claudeCodeProfile } from "../../../src/client/harnesses/claude-code.ts";
import type { DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";
import { until } from "../wait-until.ts";
import { laterHook } from "./daemon-on-docs.ts";
import type { HarnessUnderTest } from "./harness-under-test.ts";

interface Played {
  rings: number;
  turn: string | null;
  loses: boolean;
  readonly read: string[];
  /** What it read in the running turn and has not answered yet. */
  fresh: string[];
  readonly answered: string[];
}

/** Claude Code with a bell and hooks that the test plays. */
export const playedBell: HarnessUnderTest = {
  name: "Claude Code with a played bell",
  make() {
    const sessions = new Map<string, Played>();
    let turns = 0;
    const at = (id: string): Played => {
      const lists = { read: [], fresh: [], answered: [] };
      const played = sessions.get(id) ?? { rings: 0, turn: null, loses: false, ...lists };
      sessions.set(id, played);
      return played;
    };
    const read = (id: string, text: string) => {
      at(id).read.push(text);
      at(id).fresh.push(text);
    };
    const answers = (id: string) => at(id).answered.push(...at(id).fresh.splice(0));
    return {
      adapter: {
        profile: claudeCodeProfile,
        wake: { kind: "bell", ring: (session) => void at(session).rings++ },
      },
      drive(there) {
        const hook = async (session: string, request: DaemonRequest) => {
          await laterHook();
          const { bundle } = await there.ask({ session, ...request });
          if (bundle !== undefined) read(session, bundle);
          return bundle !== undefined;
        };
        const begin = (session: string, handoff_id?: string) => {
          const harness_turn = (at(session).turn = `turn-${++turns}`);
          const wake = handoff_id !== undefined && { handoff_id };
          return hook(session, { op: "turn_start", harness_turn, ...wake });
        };
        const turnOf = (session: string) => ({ harness_turn: at(session).turn! });
        return {
          open: async (session) => void (await there.ask({ op: "register", session })),
          async close(session) {
            Object.assign(at(session), { turn: null, fresh: [] });
            await there.ask({ op: "end", session });
          },
          type: async (session) => void (await begin(session)),
          async woken(session) {
            const played = at(session);
            for (;;) {
              await until(() => played.rings > 0, "a ring");
              played.rings = 0;
              const bundle = await there.answerRing(session, !played.loses);
              if (bundle === null) continue;
              if (played.loses) {
                played.loses = false;
                continue;
              }
              read(session, bundle.text);
              await begin(session, bundle.id);
              return;
            }
          },
          async tool(session) {
            answers(session);
            await hook(session, { op: "boundary", at: "after_tools", ...turnOf(session) });
          },
          async answer(session) {
            const end = { op: "turn_end", takes_bundle: true, ...turnOf(session) } as const;
            do answers(session);
            while (await hook(session, end));
            at(session).turn = null;
          },
          async fail(session) {
            await hook(session, { op: "turn_end", failed: true, ...turnOf(session) });
            Object.assign(at(session), { turn: null, fresh: [] });
          },
          loseNext: (session) => void (at(session).loses = true),
          isBusy: (session) => at(session).turn !== null,
          read: (session) => at(session).read,
          answered: (session) => at(session).answered,
        };
      },
    };
  },
};
