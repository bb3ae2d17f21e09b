import { ApiError } from "../../../client/client.ts";
import type { Db } from "../../../db/engine/database.ts";
import {
  queueClaimOf,
  saveQueueClaim,
  type QueueClaim,
} from "../../../db/journal/queue-reports.ts";
import { chosenFor, type HeldSeat } from "../held/bundle.ts";
import type { DaemonOptions } from "../held/daemon-options.ts";
import type { Feeds } from "../held/feeds.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";

/** Tells servers which messages wait for the end of a session's turn. Receipts show them as queued. */
export interface Queues {
  /** Compares what waits with what was told, and tells what changed. */
  update(session: LiveSession): void;
  stop(): void;
}

interface Queued {
  readonly message_id: string;
  readonly seq: number;
}

/** A seat whose queue is told. A claim belongs to the token that made it, so another generation claims anew. */
type Reported = Pick<HeldSeat, "feed" | "generation">;

/** What was told about a seat for one boot of a session, with one token. */
interface Told {
  readonly owner: string;
  messages: readonly Queued[];
  /** What is to be told next, or null. */
  next: readonly Queued[] | null;
  isSending: boolean;
  /** A server that refuses the reports of this boot is asked no more. */
  isOver: boolean;
  cancelRenewal: () => void;
}

/** A report is valid for 45 seconds. */
const renewMs = 30_000;
const mostMessages = 1_000;

/** Makes the part that reports queues. */
export function createQueues(
  db: Db,
  { clock, clientOf, log }: DaemonOptions,
  feeds: Feeds,
): Queues {
  const seats = new Map<string, Told>();

  async function claimed(
    { feed: { agent }, generation }: Reported,
    session: string,
    boot: string,
  ): Promise<QueueClaim> {
    const saved = db.read((tx) => queueClaimOf(tx, agent));
    const isOwn = saved?.session === session && saved.boot === boot;
    if (isOwn && saved.generation === generation) return saved;
    const client = clientOf(agent);
    const { epoch: expected_epoch } = await client.call("getDeliveryQueue");
    const body = { session, boot, expected_epoch };
    const { epoch } = await client.call("reportDeliveryQueue", { body });
    return { session, boot, generation, epoch, revision: 0 };
  }

  async function send(
    seat: Reported,
    { key, boot }: LiveSession,
    messages: readonly Queued[],
  ): Promise<void> {
    const claim = await claimed(seat, `${key.harness}:${key.id}`, boot);
    const { session, epoch } = claim;
    const revision = claim.revision + 1;
    await db.write((tx) => saveQueueClaim(tx, seat.feed.agent, { ...claim, revision }));
    const body = { session, boot, epoch, revision, messages: [...messages] };
    await clientOf(seat.feed.agent).call("reportDeliveryQueue", { body });
  }

  function tell(session: LiveSession, seat: Reported, told: Told): void {
    if (told.isSending || told.isOver || told.next === null) return;
    const messages = told.next;
    Object.assign(told, { messages, next: null, isSending: true });
    told.cancelRenewal();
    let isLost = false;
    send(seat, session, messages)
      .catch((error: unknown) => {
        // A server that is away, or has too much to do, takes the report later.
        isLost = !isRefused(error);
        told.isOver ||= !isLost;
        log(`queue of ${seat.feed.agent.name}: ${error instanceof Error ? error.message : "?"}`);
      })
      .finally(() => {
        told.isSending = false;
        if ((messages.length > 0 || isLost) && !told.isOver)
          told.cancelRenewal = clock.after(renewMs, () => {
            told.next ??= messages;
            tell(session, seat, told);
          });
        tell(session, seat, told);
      });
  }

  function want(session: LiveSession, seat: Reported, messages: readonly Queued[]): void {
    const { key: name, boot } = session;
    const key = seatKeyOf(seat.feed.agent);
    const owner = `${name.harness}:${name.id} ${boot} ${seat.generation}`;
    let told = seats.get(key);
    if (told?.owner !== owner) {
      if (messages.length === 0) return;
      told?.cancelRenewal();
      told = {
        owner,
        messages: [],
        next: null,
        isSending: false,
        isOver: false,
        cancelRenewal: () => {},
      };
      seats.set(key, told);
    }
    if (isSame(messages, told.next ?? told.messages)) return;
    told.next = messages;
    tell(session, seat, told);
  }

  return {
    update(session) {
      for (const seat of feeds.seatsOf(session.key)) {
        // Its token may be about to be replaced.
        if (seat.feed.stopped !== null) continue;
        const waiting = session.busy ? chosenFor("wake", seat) : [];
        const queued = waiting.map(({ id, seq }) => ({ message_id: id, seq }));
        want(session, seat, queued.slice(0, mostMessages));
      }
    },
    stop() {
      for (const told of seats.values()) {
        told.cancelRenewal();
        told.isOver = true;
      }
    },
  };
}

const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

const isSame = (some: readonly Queued[], others: readonly Queued[]): boolean =>
  some.length === others.length && some.every(({ seq }, at) => seq === others[at]!.seq);
