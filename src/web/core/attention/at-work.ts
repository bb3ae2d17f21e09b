import { computed, signal } from "@preact/signals";
import { api } from "../connection/api.ts";
import type { Member } from "../boards/board.ts";
import { connection, liveStream, onEvent } from "../connection/live.ts";
import { needs } from "./needs.ts";
import { activeBoards, me, ownAgents, type AttentionItem } from "../boards/overview.ts";
import { readPresent, shownOf } from "../connection/presence.ts";

/** The agents of other people on the boards that were looked at. */
const others = signal<readonly Member[]>([]);

/** So many boards are looked at, those with the newest message first. */
const mostBoards = 20;
/** What was looked at is good for this long. Presence comes by the stream meanwhile. */
const goodMs = 60_000;
let lookedAt = 0;
let lookedIn: number | null = null;

/** Looks who else works on the person's boards, unless that was just done. */
export async function lookWhoWorks(): Promise<void> {
  const isGood = Date.now() - lookedAt < goodMs && lookedIn === liveStream();
  if (activeBoards.value.length === 0 || isGood) return;
  lookedAt = Date.now();
  lookedIn = liveStream();
  const newest = [...activeBoards.value]
    .sort((one, other) => (other.last_message_at ?? "").localeCompare(one.last_message_at ?? ""))
    .slice(0, mostBoards);
  const membersOf = (name: string) =>
    api.call("listMembers", { params: { board: name } }).then(
      ({ members }) => members,
      // A board that cannot be read is left out.
      () => [],
    );
  const { list } = await readPresent(async () =>
    (await Promise.all(newest.map(({ name }) => membersOf(name)))).flat(),
  );
  others.value = list.filter(
    ({ kind, status, owner }) => kind === "agent" && status === "active" && owner !== me.value,
  );
}

connection.subscribe(({ state }) => {
  if (state === "live" && lookedAt > 0) void lookWhoWorks();
});

onEvent(({ event, data }) => {
  if (event !== "presence") return;
  others.value = others.value.map((one) =>
    one.id === data.member_id ? { ...one, ...shownOf(data) } : one,
  );
});

/** The ask by which an agent stands still because of the person, or null. */
export const blockedOnMe = (agent: Pick<Member, "board" | "name">): AttentionItem | null =>
  needs.value.find(
    ({ urgency, kind, board, from }) =>
      urgency === "now" &&
      kind.endsWith("ask") &&
      board === agent.board &&
      from?.name === agent.name,
  ) ?? null;

const ranks: Readonly<Record<string, number>> = {
  waiting: 1,
  working: 2,
  late: 3,
  paused: 4,
  idle: 5,
};
const rankOf = (agent: Member): number =>
  blockedOnMe(agent) ? 0 : (ranks[agent.state ?? ""] ?? 6);
const inOrder = (agents: readonly Member[]): readonly Member[] =>
  agents
    .filter(({ status }) => status === "active")
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.name.localeCompare(other.name));

/** The agents on the person's boards: who needs somebody first, then who works. */
export const agentsAtWork = computed(() => {
  const own = inOrder(ownAgents.value);
  const foreign = inOrder(others.value);
  const all = [...own, ...foreign];
  const working = all.filter((agent) => rankOf(agent) < 5).length;
  return { own, others: foreign.filter((agent) => rankOf(agent) < 5), working, all: all.length };
});

/** The agents that are at work on a board. */
export const workingOn = (board: string): readonly Member[] =>
  [...agentsAtWork.value.own, ...agentsAtWork.value.others].filter(
    (agent) => agent.board === board && rankOf(agent) < 4,
  );
