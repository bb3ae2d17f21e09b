import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";

export type { Message } from "../../agent-text/message-element.ts";

/** Who reads a text. The relation to a sender has other words for an agent than for a person. */
export type Reader = "agent" | "person";
/** The tasks of an agent and its board, as its inbox gives them. */
export type Work = Output<Operations["getInbox"]>["work"];
