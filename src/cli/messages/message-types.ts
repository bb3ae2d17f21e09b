import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";

/** A message, as the server gives it to a reader. */
export type Message = Output<Operations["postMessage"]>;

/** Who reads: what a sender is to them is said in other words to an agent than to a person. */
export type Reader = "agent" | "person";
