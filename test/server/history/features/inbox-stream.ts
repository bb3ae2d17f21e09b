import { expect } from "bun:test";
import { followInbox } from "../../../support/follow-inbox.ts";
import { slot } from "../model.ts";
import type { Feature, Reading } from "../registry.ts";
import { inboxOf } from "../rules.ts";
import type { Actor } from "../scene.ts";

/** An agent's open stream, and what has been compared of it. */
interface Following {
  readonly stream: Awaited<ReturnType<typeof followInbox>>;
  /** Up to here the board's messages were compared. */
  seen: number;
  /** The read position that was sent last. */
  position: number;
}
/** Ids of the agents of a board who follow their inbox. */
export const followersOf = slot(() => new Set<string>());
const followings = new WeakMap<Actor, Following>();

async function followingOf(actor: Actor): Promise<Following> {
  const known = followings.get(actor);
  if (known) return known;
  const stream = await followInbox(actor.client);
  const { cursor } = stream.ready;
  const following = { stream, seen: cursor, position: cursor };
  followings.set(actor, following);
  return following;
}

/** A message that is posted comes once, if it is in the inbox then. The position is the one that was sent last. */
const streamed: Reading = {
  name: "the stream of an agent's inbox",
  async check({ board, actor, me }) {
    if (me.kind === "human") return;
    const following = await followingOf(actor);
    followersOf(board).add(me.id);
    const wanted = inboxOf(board, me).filter(({ seq }) => seq > following.seen);
    const found: string[] = [];
    const position = board.positions.get(me.id) ?? 0;
    const take = async () => {
      const event = await following.stream.next();
      if (event.event === "messages") found.push(...event.data.messages.map(({ id }) => id));
      if (event.event === "read") following.position = event.data.position;
    };
    while (found.length < wanted.length || following.position < position) await take();
    // What is due besides comes within these turns.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    while (following.stream.events.length > 0) await take();
    expect(found).toEqual(wanted.map(({ id }) => id));
    expect(following.position).toBe(position);
    following.seen = board.head;
  },
};

/** Every agent follows its inbox from the first time that it reads. */
export const inboxStreams: Feature = { commands: [], readings: [streamed] };
