import { expect } from "bun:test";
import type { Reading } from "../registry.ts";
import { askState, readable } from "../rules.ts";

const states = ["open", "answered", "withdrawn", "went_with", "all"] as const;

/** What members read of asks. */
export const askReadings: readonly Reading[] = [
  {
    name: "asks",
    async check({ scene, board, actor, me, turn }) {
      const now = scene.world.clock.now.toISOString();
      const state = states[turn % states.length]!;
      const [to_me, from_me] = [turn % 3 === 1, turn % 3 === 2];
      const query = { board: board.name, state, to_me, from_me, limit: 200 };
      const wanted = readable(board, me)
        .filter(
          (message) =>
            message.ask &&
            (state === "all" || askState(board, message, now) === state) &&
            (!to_me || message.ask.to === me.id) &&
            (!from_me || message.sender === me.id),
        )
        .toReversed();
      if (to_me && state === "open")
        wanted.sort((a, b) => Number(b.ask!.blocking) - Number(a.ask!.blocking));
      const { asks } = await actor.client.call("listAsks", { query });
      expect(asks.map(({ id, ask }) => [id, ask!.state])).toEqual(
        wanted.map((message) => [message.id, askState(board, message, now)]),
      );
    },
  },
];
