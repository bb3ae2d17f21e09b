import type { Client, Given } from "../../src/client/client.ts";
import { follow } from "./follow-stream.ts";
import { until } from "./wait-until.ts";
import type { World } from "./servers/server-in-process.ts";

/** What a person's list of what needs them shows. */
export const attentionOf = (client: Client, query: Given<"getAttention">["query"] = {}) =>
  client.call("getAttention", { query: { limit: 200, ...query } });

/** The kinds of the items of a person's list, in its order. */
export const kindsFor = async (client: Client) =>
  (await attentionOf(client)).items.map(({ kind }) => kind);

/** The only item of a kind on a person's list. */
export async function itemOf(client: Client, kind: string) {
  const items = (await attentionOf(client)).items.filter((item) => item.kind === kind);
  if (items.length !== 1) throw new Error(`there are ${items.length} items ${kind}`);
  return items[0]!;
}

/** Follows a person's list by a wait and by the stream at once. */
export async function followList(world: World, client: Client, boards = 1) {
  const stream = await follow(client, boards);
  await stream.nextAttention();
  return {
    /**
     * The kinds that the list shows after something happened. A wait that holds until then has to give them, and the
     * stream their number.
     */
    async after(happen: () => unknown): Promise<string[]> {
      const { version } = await attentionOf(client);
      const waiting = world.hub.waiting;
      const answer = attentionOf(client, { since: version, wait: 60 });
      await until(() => world.hub.waiting > waiting, "the list waits");
      await happen();
      const { items, counts } = await answer;
      const [told] = await stream.nextAttention();
      if (told!.now !== counts.now || told!.later !== counts.later)
        throw new Error(`${JSON.stringify(told)} of ${JSON.stringify(counts)}`);
      return items.map(({ kind }) => kind);
    },
    stream,
  };
}

/** Lets so many seconds pass, the last moment of them while whoever waits has set a timer for it. */
export const inTime = (world: World, seconds: number) => ({
  before: () => world.pass(seconds - 0.02),
  last: () => world.pass(0.02),
});
