import type { Db } from "../../../db/engine/database.ts";
import {
  queueClaimOf,
  saveQueueClaim,
  type QueueClaim,
} from "../../../db/journal/queue-reports.ts";
import { chosenFor } from "../held/bundle.ts";
import type { DaemonOptions } from "../held/daemon-options.ts";
import type { Feeds } from "../held/feeds.ts";
import type { LiveSession } from "../held/live-session.ts";
import type { SeatFeed } from "../../servers/seat-feed.ts";

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

/** What was told about a seat for one boot of a session. */
interface Told {
  readonly owner: string;
  messages: readonly Queued[];
  /** What is to be told next, or null. */
  next: readonly Queued[] | null;
  isSending: boolean;
  /** A server that takes no report of this boot is asked no more. */
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

  async function claimed(feed: SeatFeed, session: string, boot: string): Promise<QueueClaim> {
    const saved = db.read((tx) => queueClaimOf(tx, feed.agent));
    if (saved?.session === session && saved.boot === boot) return saved;
    const client = clientOf(feed.agent);
    const { epoch: expected_epoch } = await client.call("getDeliveryQueue");
    const body = { session, boot, expected_epoch };
    const { epoch } = await client.call("reportDeliveryQueue", { body });
    return { session, boot, epoch, revision: 0 };
  }

  async function send(
    feed: SeatFeed,
    { key, boot }: LiveSession,
    messages: readonly Queued[],
  ): Promise<void> {
    const claim = await claimed(feed, `${key.harness}:${key.id}`, boot);
    const { session, epoch } = claim;
    const revision = claim.revision + 1;
    await db.write((tx) => saveQueueClaim(tx, feed.agent, { ...claim, revision }));
    const body = { session, boot, epoch, revision, messages: [...messages] };
    await clientOf(feed.agent).call("reportDeliveryQueue", { body });
  }

  function tell(session: LiveSession, feed: SeatFeed, told: Told): void {
    if (told.isSending || told.isOver || told.next === null) return;
    const messages = told.next;
    Object.assign(told, { messages, next: null, isSending: true });
    told.cancelRenewal();
    send(feed, session, messages)
      .catch((error: unknown) => {
        told.isOver = true;
        log(`queue of ${feed.agent.name}: ${error instanceof Error ? error.message : "?"}`);
      })
      .finally(() => {
        told.isSending = false;
        if (messages.length > 0 && !told.isOver)
          told.cancelRenewal = clock.after(renewMs, () => {
            told.next ??= messages;
            tell(session, feed, told);
          });
        tell(session, feed, told);
      });
  }

  function want(session: LiveSession, feed: SeatFeed, messages: readonly Queued[]): void {
    const { server, member_id } = feed.agent;
    const owner = `${session.key.harness}:${session.key.id} ${session.boot}`;
    const key = `${server} ${member_id}`;
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
    tell(session, feed, told);
  }

  return {
    update(session) {
      for (const seat of feeds.seatsOf(session.key)) {
        const waiting = session.busy ? chosenFor("wake", seat) : [];
        const queued = waiting.map(({ id, seq }) => ({ message_id: id, seq }));
        want(session, seat.feed, queued.slice(0, mostMessages));
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

const isSame = (some: readonly Queued[], others: readonly Queued[]): boolean =>
  some.length === others.length && some.every(({ seq }, at) => seq === others[at]!.seq);
