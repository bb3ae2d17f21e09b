import type { StreamEvent } from "../../../client/client.ts";
import { liveStream, onEvent } from "./live.ts";

type PresenceData = Extract<StreamEvent, { event: "presence" }>["data"];

/** What a presence event says of an agent, as lists of members hold it. */
export const shownOf = ({ presence, presence_since, delivery, line, state }: PresenceData) => ({
  presence,
  presence_since,
  delivery,
  line,
  state,
});

/**
 * Reads agents, and puts on them what the stream said of their presence meanwhile. Presence is in no log, so no event says
 * again what changed before the stream began: what was read in another `stream` than the one that is live is read again.
 */
export async function readPresent<Agent extends { readonly id: string }>(
  read: () => Promise<readonly Agent[]>,
): Promise<{ readonly list: readonly Agent[]; readonly stream: number | null }> {
  const stream = liveStream();
  const newer = new Map<string, ReturnType<typeof shownOf>>();
  const endEvents = onEvent(({ event, data }) => {
    if (event === "presence" && data.member_id) newer.set(data.member_id, shownOf(data));
  });
  const found = await read().finally(endEvents);
  return { list: found.map((one) => ({ ...one, ...newer.get(one.id) })), stream };
}
