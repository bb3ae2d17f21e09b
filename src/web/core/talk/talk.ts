import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../connection/api.ts";
import { boardOf, isRename, type Loaded, type LogEvent } from "../boards/board.ts";
import { isTold } from "./quiet.ts";
import { cutTo, holds, holesOf, withStretch, type Stretch } from "./stretches.ts";

export type Message = OutputOf<"listMessages">["messages"][number];
type Page = OutputOf<"listMessages">;

/** Who also holds messages of a board, and wants to know of new and changed ones. */
interface Holder {
  readonly holds: (id: string) => boolean;
  readonly take: (messages: readonly Message[]) => void;
}

/** What this page holds of a board's talk, and how it comes to hold more. */
export interface Talk {
  readonly board: string;
  /** The messages that are held, in order. */
  readonly messages: Signal<readonly Message[]>;
  /** The events that the timeline tells of in a line, in order. */
  readonly quiet: Signal<readonly LogEvent[]>;
  /** Where nothing is missing between the messages. The last stretch ends with the newest. */
  readonly stretches: Signal<readonly Stretch[]>;
  readonly state: Signal<Loaded>;
  /** Whether there are messages before the first that is held. */
  readonly hasOlder: ReadonlySignal<boolean>;
  load(): Promise<void>;
  loadOlder(): Promise<void>;
  /** Reads the messages around a place of the log, unless they are held. */
  loadAround(seq: number): Promise<void>;
  /** Reads on into the gap after a stretch, or back into the gap before one. */
  loadGap(side: { readonly after: number } | { readonly before: number }): Promise<void>;
  /** Takes in messages that the server has answered with. */
  take(...messages: readonly Message[]): void;
  /** Says who else holds messages. Gives the function that ends that. */
  share(holder: Holder): () => void;
  /** Lets go of what is far from a place, when more is held than a page should hold. The newest stay. */
  letGo(seq: number): void;
}

const pageSize = 50;
const longPage = 200;
/** A board has at most so many messages in memory. Then those that are far from what is shown go, so that fewer stay. */
const mostHeld = 2_000;
const keptAround = 600;

const talks = new Map<string, Talk>();

/** The talk of a board. It is loaded when it is first asked for, and follows the board's news from then on. */
export function talkOf(board: string): Talk {
  const known = talks.get(board);
  if (known) return known;
  const made = openTalk(board);
  talks.set(board, made);
  return made;
}

/** Forgets everything, since another person may sign in. */
export function forgetTalks(): void {
  talks.clear();
}

const inOrder = <T extends { readonly seq: number }>(held: readonly T[], news: readonly T[]): T[] =>
  [...new Map([...held, ...news].map((one) => [one.seq, one])).values()].sort(
    (one, other) => one.seq - other.seq,
  );

function openTalk(board: string): Talk {
  const messages = signal<readonly Message[]>([]);
  const quiet = signal<readonly LogEvent[]>([]);
  const stretches = signal<readonly Stretch[]>([]);
  const state = signal<Loaded>("loading");
  const hasOlder = computed(() => (stretches.value[0]?.from ?? 0) > 1);
  const holders = new Set<Holder>();
  const params = { board };
  /** Where the events are known already. */
  let toldOf: readonly Stretch[] = [];

  function take(...news: readonly Message[]): void {
    const newest = messages.value.at(-1)?.seq ?? 0;
    const held = new Set(messages.value.map(({ seq }) => seq));
    // What is not held lies in a gap, unless it is newer than all: then it is shown at once.
    const shown = news.filter(({ seq }) => held.has(seq) || seq > newest || isHeld(seq));
    if (shown.length > 0) messages.value = inOrder(messages.value, shown);
    for (const holder of holders) holder.take(news);
  }
  const isHeld = (seq: number) => holds(stretches.value, seq);

  function takePage(found: readonly Message[], stretch: Stretch): void {
    batch(() => {
      stretches.value = withStretch(stretches.value, stretch);
      take(...found);
    });
    void tellOf(found, stretch).catch(() => {});
  }

  const read = (query: object): Promise<Page> =>
    api.call("listMessages", { params, query: { limit: pageSize, ...query } });

  async function load(): Promise<void> {
    state.value = "loading";
    try {
      const events = api
        .call("listEvents", { params, query: { newest: true, limit: pageSize } })
        .then(takeEventPage, () => {});
      const page = await read({ newest: true });
      await events;
      takePage(page.messages, newestStretch(page));
      state.value = "ready";
    } catch (error) {
      state.value = error instanceof Error ? error : new Error(String(error));
    }
  }
  const newestStretch = ({ messages: found, prev_before }: Page): Stretch => ({
    from: prev_before === null ? 1 : (found[0]?.seq ?? 1),
    to: found.at(-1)?.seq ?? 1,
  });

  async function readBack(before: number): Promise<void> {
    const { messages: found, prev_before } = await read({ before, newest: true });
    const from = prev_before === null ? 1 : (found[0]?.seq ?? 1);
    takePage(found, { from, to: before - 1 });
  }

  async function readOn(after: number, limit = pageSize): Promise<number | null> {
    const { messages: found, next_after } = await read({ after, limit });
    const to = found.at(-1)?.seq ?? after;
    // Nothing follows, so there is no gap any more up to the newest.
    const tail = stretches.value.at(-1)?.to ?? to;
    takePage(found, { from: after + 1, to: next_after === null ? Math.max(to, tail) : to });
    return next_after;
  }

  function takeEvents(events: readonly LogEvent[]): void {
    const news = events.filter(isTold);
    if (news.length > 0) quiet.value = inOrder(quiet.value, news);
  }

  function takeEventPage({ events }: OutputOf<"listEvents">): void {
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return;
    toldOf = withStretch(toldOf, { from: first.seq, to: last.seq });
    takeEvents(events);
  }

  /** Reads the events between messages. Where the numbers of the messages have no hole, there is none. */
  async function tellOf(found: readonly Message[], stretch: Stretch): Promise<void> {
    const holes = holesOf(
      found.map(({ seq }) => seq),
      stretch,
    );
    if (!holes) return;
    for (let after = holes.from - 1; after < holes.to;) {
      const known = toldOf.find(({ from, to }) => from <= after + 1 && after + 1 <= to);
      if (known) {
        after = known.to;
        continue;
      }
      const query = { after, limit: Math.min(longPage, holes.to - after) };
      const page = await api.call("listEvents", { params, query });
      takeEventPage(page);
      const last = page.events.at(-1)?.seq;
      if (last === undefined || page.next_after === null) return;
      after = last;
    }
  }

  /** Takes in new messages, and messages that others have changed. */
  async function takeNews(events: readonly LogEvent[]): Promise<void> {
    await loading;
    // What could not be read at first is read with the first news: the connection is back.
    if (state.value instanceof Error) return load();
    takeEvents(events);
    const stale = new Set<string>();
    for (const { type, data } of events) {
      const id = data?.["message_id"];
      if (type.startsWith("reaction.") && typeof id === "string") stale.add(id);
    }
    const newest = stretches.value.at(-1)?.to ?? 0;
    const hasNew = events.some(({ type, seq }) => type === "message.posted" && seq > newest);
    const known = new Set(messages.value.map(({ id }) => id));
    if (hasNew) await readNewest(newest);
    if (events.some(isRename)) await readAgain();
    for (const one of messages.value)
      if (one.seq > newest || !known.has(one.id)) for (const id of touchedBy(one)) stale.add(id);
    await refresh(stale);
  }

  /** Reads everything that is held once more: each message bears the names of people. */
  async function readAgain(): Promise<void> {
    for (const { from, to } of stretches.value)
      for (let next: number | null = from - 1; next !== null && next < to;) {
        const page: Page = await read({ after: next, limit: longPage });
        take(...page.messages.filter(({ seq }) => isHeld(seq)));
        next = page.next_after;
      }
  }

  /** Reads what is new. When it is more than a page, the newest are read as well, and a gap stays between. */
  async function readNewest(after: number): Promise<void> {
    const next = await readOn(after, longPage);
    if (next === null) return;
    const page = await read({ newest: true });
    takePage(page.messages, newestStretch(page));
  }

  /** Messages that a new one changes: the one that it answers, and the first of its thread. */
  const touchedBy = ({ reply_to, thread_root, answer }: Message): string[] =>
    [reply_to, thread_root, answer?.ask_id].filter((id) => typeof id === "string");

  async function refresh(ids: ReadonlySet<string>): Promise<void> {
    const here = new Set(messages.value.map(({ id }) => id));
    const shown = [...ids].filter(
      (id) => here.has(id) || [...holders].some((holder) => holder.holds(id)),
    );
    const fresh = await Promise.all(
      shown.map((id) =>
        api.call("getMessage", { params: { message: id } }).then(({ message }) => message),
      ),
    );
    if (fresh.length > 0) take(...fresh);
  }

  const loading = load();
  boardOf(board).onNews(takeNews);

  return {
    board,
    messages,
    quiet,
    stretches,
    state,
    hasOlder,
    load,
    take,
    async loadOlder() {
      const [first] = stretches.value;
      if (first && hasOlder.value) await readBack(first.from);
    },
    async loadAround(seq) {
      await loading;
      const isNear = messages.value.some((one) => one.seq === seq) && isHeld(seq);
      if (isNear) return;
      await Promise.all([readBack(seq + 1), readOn(seq)]);
    },
    async loadGap(side) {
      if ("after" in side) await readOn(side.after);
      else await readBack(side.before);
    },
    share(holder) {
      holders.add(holder);
      return () => void holders.delete(holder);
    },
    letGo(seq) {
      const held = messages.value;
      if (held.length <= mostHeld) return;
      const at = Math.max(
        0,
        held.findIndex((one) => one.seq >= seq),
      );
      const near = held.slice(Math.max(0, at - keptAround), at + keptAround);
      const parts = [
        { from: near[0]!.seq, to: near.at(-1)!.seq },
        { from: held.at(-pageSize)!.seq, to: Infinity },
      ];
      batch(() => {
        stretches.value = cutTo(stretches.value, parts).reduce<readonly Stretch[]>(withStretch, []);
        messages.value = held.filter((one) => holds(parts, one.seq));
        quiet.value = quiet.value.filter((one) => holds(parts, one.seq));
        toldOf = cutTo(toldOf, parts);
      });
    },
  };
}
