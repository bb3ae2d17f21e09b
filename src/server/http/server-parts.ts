import type { OperationName } from "../../contract/index.ts";
import type { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../db/engine/database.ts";
import type { ByteStore } from "../files/byte-store.ts";
import type { Programs } from "../downloads/programs.ts";
import type { Readiness } from "../health/readiness.ts";
import type { Tools } from "../handler.ts";
import type { Hub } from "../live/hub.ts";
import type { InboxStreams } from "../live/inbox-streams.ts";
import type { Indexing } from "../search/indexing.ts";
import type { Log } from "../log.ts";
import type { ServerNumbers } from "../numbers/numbers.ts";
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
  readonly numbers: ServerNumbers;
  readonly log: Log;
  readonly limits: Limits;
  /** Whether the server takes work; undefined if the app is called without one that runs. */
  readonly readiness?: Readiness;
  /** The token for `/metrics`; undefined if the server's own address does not offer the figures to Prometheus. */
  readonly metricsToken?: string | undefined;
  /** The connections of requests; undefined if the app is called without a socket. */
  readonly connections?: Connections;
  /** The programs that are offered for download; undefined if none are. */
  readonly programs?: Programs | undefined;
  /** Called with every answer before it is sent. Tests compare the answers with the table of operations. */
  readonly inspect?: (name: OperationName, answer: Answer | Refusal) => void;
}
