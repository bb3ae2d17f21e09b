import type { Db } from "../../db/engine/database.ts";
import { noteShown, returnUnshown } from "../../db/journal/deliveries.ts";
import type { SessionKey } from "../../db/journal/journal-sessions.ts";
import type { Peer, RawRequest } from "../socket/listen.ts";
import type { LiveSession } from "./held/live-session.ts";

interface Parts {
  readonly db: Db;
  keyIn(request: RawRequest): SessionKey;
  liveOf(key: SessionKey): LiveSession | undefined;
  /** Looks at the session once it is free. */
  lookLater(session: LiveSession): void;
  log(line: string): void;
}

/** Makes the part that follows the answers of hooks with messages in them, until their harness has these or nobody has. */
export function createHookAnswers({ db, keyIn, liveOf, lookLater, log }: Parts) {
  /** The answers whose hook has not said yet that it has printed them, by their handoff. */
  const unprinted = new Map<string, RawRequest>();

  /** Each ends when it is known whether a hook has printed its answer, and that is written down. */
  const printing = new Set<Promise<void>>();

  function follow(work: Promise<void>): void {
    const followed = work.catch(() => {}).finally(() => printing.delete(followed));
    printing.add(followed);
  }

  async function settle(request: RawRequest, handoff: string, isShown: boolean): Promise<void> {
    if (isShown) return void (await db.write((tx) => noteShown(tx, handoff)));
    const key = keyIn(request);
    await db.write((tx) => returnUnshown(tx, key));
    const session = liveOf(key);
    if (!session) return;
    if (request["op"] === "turn_end") session.busy = false;
    lookLater(session);
  }

  return {
    /** Sends an answer with messages. Their handoff counts as shown once the harness has them. */
    async sendWith(
      peer: Peer,
      request: RawRequest,
      answer: Parameters<Peer["answer"]>[0],
      handoff: string,
    ): Promise<void> {
      const says = request["says_received"] === true;
      if (says) {
        unprinted.set(handoff, request);
        const isOver = Promise.withResolvers<void>();
        follow(isOver.promise);
        peer.onEnd(() => {
          if (!unprinted.delete(handoff)) return isOver.resolve();
          settle(request, handoff, false)
            .catch((error: unknown) => log(`returning what was not printed: ${String(error)}`))
            .finally(isOver.resolve);
        });
      }
      const isSent = peer.answer(answer);
      if (says && isSent) return;
      unprinted.delete(handoff);
      peer.end();
      await settle(request, handoff, isSent);
    },
    /** Resolves when no hook prints any more. */
    async ended(): Promise<void> {
      while (printing.size > 0) await Promise.all(printing);
    },
    /** A hook says that its harness has the messages. False if no answer waits for that. */
    async isPrinted(handoff: string): Promise<boolean> {
      const request = unprinted.get(handoff);
      if (!request || !unprinted.delete(handoff)) return false;
      const settled = settle(request, handoff, true);
      follow(settled);
      await settled;
      return true;
    },
  };
}
