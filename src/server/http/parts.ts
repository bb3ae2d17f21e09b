import type { OperationName } from "../../contract/index.ts";
import type { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../db/engine/database.ts";
import type { ByteStore } from "../files/byte-store.ts";
import type { Tools } from "../handler.ts";
import type { Hub } from "../live/hub.ts";
import type { Indexing } from "../search/indexing.ts";
import type { Streams } from "../live/streams.ts";
import type { Answer } from "./kept.ts";
import type { Limits } from "./limits.ts";
import type { Log } from "./problems.ts";

/** What the listening socket knows of a request. */
export interface Connections {
  /** Lets the connection of a request stand still for so many seconds before it is closed; 0 is for good. */
  keepOpen(request: Request, seconds: number): void;
  /** Lets it stand still no longer than any other: what it waited for is answered. */
  letIdle(request: Request): void;
  /** The address at the connection's other end. Forwarding headers are never read. */
  addressOf(request: Request): string;
}

/** What a server is made of, as the adapter sees it. */
export interface Parts {
  readonly db: Db;
  readonly hub: Hub;
  readonly streams: Streams;
  readonly indexing: Indexing;
  readonly bytes: ByteStore;
  readonly tools: Tools;
  readonly log: Log;
  readonly limits: Limits;
  /** The connections that requests come by, where there are any. */
  readonly connections?: Connections;
  /** Looks at every answer before it leaves: how tests hold the server to its table. */
  readonly inspect?: (name: OperationName, answer: Answer | Refusal) => void;
}
