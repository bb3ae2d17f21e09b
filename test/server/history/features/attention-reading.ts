import { expect } from "bun:test";
import type { Reading } from "../registry.ts";
import { askState, readable } from "../rules.ts";

/** What needs a person of a board: open asks to them, and messages that wait for their reply. */
export const attentionReadings: readonly Reading[] = [
  {
    name: "attention",
    async check({ scene, board, actor, me }) {
      if (me.kind === "agent") return;
      const now = scene.world.clock.now.toISOString();
      const messages = board.archived ? [] : readable(board, me);
      const asks = messages.filter(
        (message) => message.ask?.to === me.id && askState(board, message, now) === "open",
      );
      const isAnswered = (id: string) =>
        messages.some(({ replyTo, sender }) => replyTo === id && sender === me.id);
      const waiting = messages.filter(
        ({ id, ask, expectsReply, recipients }) =>
          expectsReply && !ask && recipients?.includes(me.id) && !isAnswered(id),
      );
      const { items } = await actor.client.call("getAttention", { query: { limit: 200 } });
      const shown = items.filter(
        (item) => item.board === board.name && ["ask", "reply_wanted"].includes(item.kind),
      );
      expect(shown.map(({ id }) => id).toSorted()).toEqual(
        [
          ...asks.map(({ id }) => `ask.${id}`),
          ...waiting.map(({ id }) => `reply_wanted.${id}`),
        ].toSorted(),
      );
    },
  },
];
