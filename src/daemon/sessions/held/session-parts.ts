import type { Db } from "../../../db/engine/database.ts";
import type { SeatRow } from "../../../db/journal/journal-sessions.ts";
import type { RawRequest } from "../../socket/listen.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { Feeds } from "./feeds.ts";
import type { LiveSession } from "./live-session.ts";

/** What commands of sessions need of the part that knows the sessions. */
export interface SessionParts {
  readonly db: Db;
  readonly options: DaemonOptions;
  readonly feeds: Feeds;
  /** The open session that a request is about. Refuses one that nobody vouches for. */
  running(request: RawRequest): Promise<LiveSession>;
  /** A seat has moved to this session: what the harness of its old session holds for it is taken back. */
  leftBy(before: SeatRow, now: LiveSession): void;
  /** The sessions that are open. */
  open(): readonly LiveSession[];
  /** Runs work of a session after all that it began before. */
  within<T>(session: LiveSession, work: () => Promise<T>): Promise<T>;
  /** Looks whether the session is to be woken, after all that it began before. */
  look(session: LiveSession): void;
}
