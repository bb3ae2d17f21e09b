import type { OperationName } from "../../contract/index.ts";
import type { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../db/engine/database.ts";
import type { ByteStore } from "../files/byte-store.ts";
import type { Tools } from "../handler.ts";
import type { Hub } from "../live/hub.ts";
import type { InboxStreams } from "../live/inbox-streams.ts";
import type { Indexing } from "../search/indexing.ts";
import type { Log } from "../log.ts";
import type { Streams } from "../live/streams.ts";
import type { Answer } from "./kept-answers.ts";
import type { Limits } from "./rate-limits.ts";

/** What the listening socket offers for a request. */
export interface Connections {
  /** Sets how many seconds the connection of a request may be idle before it is closed; 0 is for ever. */
  keepOpen(request: Request, seconds: number): void;
  /** Sets the usual idle time again, once the request is answered. */
  letIdle(request: Request): void;
  /** The client's address: that of the connection's other end, or what a trusted proxy there says. */
  addressOf(request: Request): string;
}

/** The parts of a server that the HTTP adapter uses. */
export interface ServerParts {
  readonly db: Db;
  readonly hub: Hub;
  readonly streams: Streams;
  readonly inboxStreams: InboxStreams;
  readonly indexing: Indexing;
  readonly bytes: ByteStore;
  readonly tools: Tools;
  readonly log: Log;
  readonly limits: Limits;
  /** The connections of requests; undefined if the app is called without a socket. */
  readonly connections?: Connections;
  /** Called with every answer before it is sent. Tests compare the answers with the table of operations. */
  readonly inspect?: (name: OperationName, answer: Answer | Refusal) => void;
}
