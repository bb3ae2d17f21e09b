import type {
  Fate,
  HandedText,
  Harness,
  SessionSigns,
} from "../../../src/daemon/harnesses/harness.ts";

/** A harness that takes texts by itself, as the test plays it. */
export function playedPush(joinsTurn = false) {
  /** The texts that it was given, in order. */
  const given: HandedText[] = [];
  /** The texts that were to be taken back. */
  const taken: string[] = [];
  const fates = new Map<string, Fate>();
  const state = { fails: false, asked: 0, hasBegun: false, signs: null as SessionSigns | null };
  const adapter: Partial<Harness> = {
    wake: {
      kind: "push",
      joinsTurn,
      async hand(_, text) {
        given.push(text);
        if (state.fails) throw new Error("the harness is out of reach");
        fates.set(text.id, "waiting");
      },
      async fate(_, handoff) {
        state.asked++;
        return fates.get(handoff) ?? "absent";
      },
      async takeBack(_, handoff) {
        taken.push(handoff);
        if (!state.hasBegun) fates.delete(handoff);
        return !state.hasBegun;
      },
    },
    async check() {},
    start(signs) {
      state.signs = signs;
      return () => {};
    },
  };
  return {
    adapter,
    given,
    taken,
    fates,
    state,
    is: (what: Parameters<SessionSigns["is"]>[1], session = "one") =>
      state.signs!.is(session, what),
    answered: (handoff: string, session = "one") => state.signs!.answered(session, handoff),
  };
}
