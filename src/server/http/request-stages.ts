import type { OperationName } from "../../contract/index.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Presented } from "../access/identify.ts";
import type { Sender } from "../handler.ts";
import type { Input } from "./input.ts";
import type { Seen } from "./request-log.ts";
import type { ServerParts } from "./server-parts.ts";

/** A request as the router hands it over: its operation is known, and nothing of it is checked. */
export interface Arrival {
  readonly parts: ServerParts;
  readonly name: OperationName;
  readonly op: Operation;
  readonly request: Request;
  /** The parameters of its path, as they came. */
  readonly given: Readonly<Record<string, string>>;
  readonly seen: Seen;
}

/** An arrival whose credential works and is of a kind that the operation takes, or that needs none. */
export interface Recognized extends Arrival {
  readonly presented: Presented | null;
  readonly sender: Sender;
}

/** A recognized request whose path, query and body fit their schemas. Everything else is decided in a transaction. */
export interface Call extends Recognized {
  readonly input: Input;
}
