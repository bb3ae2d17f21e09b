import { signal, type ReadonlySignal } from "@preact/signals";
import { comparing, type Restored } from "../../../client/compare-heads.ts";
import { thinned, type Head } from "../../../client/thinned-heads.ts";
import { digestsOf, extend, genesis, type Chain, type Fault } from "../../../client/verify.ts";
import { api, ApiError } from "../connection/api.ts";
import type { LogEvent } from "./board.ts";
import { keepVerified, verifiedHeads, type Verified } from "./verified-heads.ts";

/** What a check of a board's record has found in this browser, or how far it is. */
export type Found =
  /** It was never checked here. */
  | { readonly state: "unchecked" }
  | { readonly state: "checking"; readonly seq: number; readonly head: number }
  /** An earlier check came so far, and found nothing wrong. */
  | { readonly state: "verified"; readonly chain: Chain; readonly at: string }
  | {
      readonly state: "holds";
      readonly chain: Chain;
      readonly at: string;
      /** The event after which this check began. Everything up to it was verified by an earlier one. */
      readonly after: number;
    }
  | {
      readonly state: "broken";
      readonly seq: number;
      readonly reason: Fault | "history_rewritten";
      readonly chain: Chain;
      readonly at: string;
    }
  /** The server was restored from a backup, so that the log lost its end. */
  | {
      readonly state: "restored";
      readonly restored: Restored;
      readonly chain: Chain;
      readonly at: string;
      /** Goes on with the log as it is now. */
      accept(): void;
    }
  | { readonly state: "failed"; readonly error: unknown };

/** The record of a board, as this browser verifies it. */
export interface BoardRecord {
  readonly found: ReadonlySignal<Found>;
  /**
   * Goes on from the head that was verified last, which must still be part of the log. Where there is none, where it is not,
   * or with `all`, every event is checked.
   */
  check(all?: boolean): Promise<void>;
  /** Stops the check. The next one goes on from there. */
  stop(): void;
}

/** So many events are read and hashed at a time. In between the page can do other things. */
const pageSize = 200;
/** How many heads are collected before they are thinned, so that a long log takes little memory. */
const mostCollected = 1_024;

const records = new Map<string, BoardRecord>();

/** The record of a board as a person verifies it in this browser. A check goes on while they look elsewhere. */
export function recordOf(personId: string, board: string, boardId: string): BoardRecord {
  const key = `${personId} ${boardId}`;
  const known = records.get(key);
  if (known) return known;
  const made = openRecord(personId, board, boardId);
  records.set(key, made);
  return made;
}

function openRecord(personId: string, board: string, boardId: string): BoardRecord {
  const kept = () => verifiedHeads(personId, boardId);
  const found = signal<Found>(lastFound(kept()));
  let running: AbortController | null = null;

  async function run(all: boolean, signal: AbortSignal): Promise<Found> {
    const before = kept();
    const { generation = null } = await api.call("getInfo", {}, { signal });
    const passed: Passed = {
      board,
      before,
      generation,
      signal,
      progress: (seq, head) => (found.value = { state: "checking", seq, head }),
      keep: (verified) => keepVerified(personId, boardId, verified),
    };
    const result = (!all && before && (await goOn(passed, before))) || (await fromStart(passed));
    if (result.state !== "restored") return result;
    const { chain, at } = result;
    const accept = () => {
      result.accept();
      found.value = { state: "holds", chain, at, after: 0 };
    };
    return { ...result, accept };
  }

  return {
    found,
    async check(all = false) {
      if (running) return;
      running = new AbortController();
      found.value = { state: "checking", seq: 0, head: 0 };
      try {
        found.value = await run(all, running.signal);
      } catch (error) {
        found.value = running.signal.aborted ? lastFound(kept()) : { state: "failed", error };
      } finally {
        running = null;
      }
    },
    stop: () => running?.abort(),
  };
}

/** What an earlier check has left in this browser. */
function lastFound(kept: Verified | null): Found {
  if (!kept) return { state: "unchecked" };
  return { state: "verified", chain: chainOf(kept), at: kept.at };
}

const chainOf = ({ heads, withheld }: Verified): Chain => {
  const { seq, hash } = heads.at(-1)!;
  return { seq, hash, checked: seq, withheld };
};

/** What both ways of checking need. */
interface Passed {
  readonly board: string;
  readonly before: Verified | null;
  readonly generation: string | null;
  readonly signal: AbortSignal;
  progress(seq: number, head: number): void;
  keep(verified: Verified): void;
}

/** Checks from the head that was verified last. Gives null where the log no longer has that head as it was. */
async function goOn(passed: Passed, before: Verified): Promise<Found | null> {
  const known = chainOf(before);
  const start = known.seq - 1;
  let chain: Chain | null = null;
  const heads = [...before.heads];
  try {
    for await (const { event, digests } of eventsAfter(start, passed)) {
      // The event of the head that is known is hashed again. Its hash covers every event before it.
      const isKnown: boolean = chain === null;
      if (isKnown && event.hash !== known.hash) return null;
      const last: Chain = chain ?? { ...known, seq: start, hash: event.prev_hash };
      const longer = extend(last, event, digests);
      if (typeof longer === "string")
        return broken(chain ?? { ...known, seq: start, checked: start }, longer);
      chain = isKnown ? known : longer;
      if (!isKnown) heads.push({ seq: event.seq, hash: event.hash });
      if (event.seq % pageSize === 0) keepAsFar(passed, heads, chain);
    }
  } catch (error) {
    if (chain && passed.signal.aborted) keepAsFar(passed, heads, chain);
    return damaged(error, chain ?? known);
  }
  if (chain === null) return null;
  keepAsFar(passed, heads, chain);
  return { state: "holds", chain, at: now(), after: known.seq };
}

/** Checks every event, and that the log still has what was verified before. */
async function fromStart(passed: Passed): Promise<Found> {
  const { before, generation } = passed;
  const comparison = comparing(before);
  let chain = genesis;
  let heads: Head[] = [];
  try {
    for await (const { event, digests } of eventsAfter(0, passed)) {
      const longer = extend(chain, event, digests);
      if (typeof longer === "string") return broken(chain, longer);
      if (!comparison.mayFollow(event)) return broken(chain, "history_rewritten", event.seq);
      chain = longer;
      heads.push({ seq: event.seq, hash: event.hash });
      if (heads.length > mostCollected) heads = thinned(heads);
    }
  } catch (error) {
    // Where nothing was verified before, the next check goes on from here.
    if (!before && passed.signal.aborted && heads.length > 0) keepAsFar(passed, heads, chain);
    return damaged(error, chain);
  }
  const result = comparison.atEnd(generation);
  if (typeof result === "number") return broken(chain, "history_rewritten", result);
  const keep = () => keepAsFar(passed, heads, chain);
  if (result) return { state: "restored", restored: result, chain, at: now(), accept: keep };
  keep();
  return { state: "holds", chain, at: now(), after: 0 };
}

/** An event, and its hashes as this browser computes them. */
interface Hashed {
  readonly event: LogEvent;
  readonly digests: Awaited<ReturnType<typeof digestsOf>>;
}

/** The events after one, with their hashes, as far as the server can read them. */
async function* eventsAfter(start: number, passed: Passed): AsyncGenerator<Hashed> {
  const { board, signal, progress } = passed;
  for (let after: number | null = start; after !== null;) {
    const query = { after, limit: pageSize };
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(board, query, signal);
    yield* await Promise.all(
      page.events.map(async (event) => ({ event, digests: await digestsOf(event, sha256) })),
    );
    progress(page.events.at(-1)?.seq ?? after, page.head_seq);
    after = page.next_after;
    await aMoment();
    signal.throwIfAborted();
  }
}

const readPage = (board: string, query: { after: number; limit: number }, signal: AbortSignal) =>
  api.call("listEvents", { params: { board }, query }, { signal });

/** Lets the page draw and answer between two pages of events. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve));

const now = () => new Date().toISOString();

function keepAsFar({ keep, generation }: Passed, heads: readonly Head[], chain: Chain): void {
  keep({
    server_generation: generation,
    heads: thinned(heads),
    withheld: chain.withheld,
    at: now(),
  });
}

const broken = (chain: Chain, reason: Fault | "history_rewritten", seq = chain.seq + 1): Found => ({
  state: "broken",
  seq,
  reason,
  chain,
  at: now(),
});

/** Where and why the server cannot read the log any further. Throws any other error again. */
function damaged(error: unknown, chain: Chain): Found {
  if (!(error instanceof ApiError && error.code === "record_damaged")) throw error;
  const { reason, seq } = error.details as { reason: Fault; seq: number };
  return broken(chain, reason, seq);
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
