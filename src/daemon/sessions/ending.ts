import type { DaemonAnswer } from "../../client/machine/daemon-wire.ts";
import type { Db } from "../../db/engine/database.ts";
import { returnHanded } from "../../db/journal/deliveries.ts";
import {
  saveSession,
  sessionAt,
  type SessionKey,
  type SessionRow,
} from "../../db/journal/journal-sessions.ts";
import type { RawRequest } from "../socket/listen.ts";
import type { DaemonOptions } from "./held/daemon-options.ts";
import type { Feeds } from "./held/feeds.ts";
import type { LiveSession } from "./held/live-session.ts";
import { processOf } from "./held/requests.ts";

interface Parts {
  readonly db: Db;
  readonly options: Pick<DaemonOptions, "isRunning">;
  readonly feeds: Feeds;
  /** The open sessions by their name. */
  readonly live: Map<string, LiveSession>;
  nameOf(key: SessionKey): string;
  keyIn(request: RawRequest): SessionKey;
  /** Ends what a session waits for, after what it does now. */
  calm(session: LiveSession): Promise<void>;
}

type Answer = Omit<DaemonAnswer, "v">;

/** Makes the part that closes sessions. */
export function createEnding({ db, options, feeds, live, nameOf, keyIn, calm }: Parts) {
  const rowOf = (key: SessionKey): SessionRow | null => db.read((tx) => sessionAt(tx, key));
  const isGone = ({ pid, start }: SessionRow): boolean =>
    pid !== null && !options.isRunning({ pid, start: start ?? "" });

  /** Closes a session, unless it is not meant any more: it may have been resumed in another process meanwhile. */
  async function end(
    key: SessionKey,
    isMeant: (row: SessionRow) => boolean = () => true,
  ): Promise<Answer> {
    const before = rowOf(key);
    if (before && !isMeant(before)) return {};
    const session = live.get(nameOf(key));
    if (session) await calm(session);
    await db.write((tx) => {
      const row = sessionAt(tx, key);
      if (!row || !isMeant(row)) return;
      saveSession(tx, { ...row, open: 0 });
      returnHanded(tx, key);
    });
    if (rowOf(key)?.open === 1) return {};
    live.delete(nameOf(key));
    await feeds.leave(key);
    return {};
  }

  return {
    end,
    /** The hook of a session's end. One that another process than the session's own runs says nothing about it while that one runs. */
    ended(request: RawRequest): Promise<Answer> {
      const told = processOf(request);
      return end(
        keyIn(request),
        (row) => told === null || row.pid === null || row.pid === told.pid || isGone(row),
      );
    },
    /** Closes every session whose process is gone. */
    async closeGone(): Promise<void> {
      const gone = [...live.values()].filter(({ key }) => {
        const row = rowOf(key);
        return row !== null && isGone(row);
      });
      await Promise.all(gone.map(({ key }) => end(key, isGone)));
    },
  };
}
