import { isInbox, isMessage } from "../../agent-text/shapes.ts";
import { Unreachable } from "../../client/errors.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { OutputOf } from "../../contract/index.ts";
import type { Message } from "./message-types.ts";

const what = "answers what this program does not understand";

/** The inbox of a server, as it is. Refuses one that no text for an agent can be written from. */
export function understoodInbox(server: string, inbox: OutputOf<"getInbox">) {
  if (isInbox(inbox)) return inbox;
  throw new LocalError(
    "server_unreachable",
    `${server} ${what}. None of it is shown or marked as read.`,
    "`service status` names the server that answers, and its version.",
  );
}

/** Messages that a server answers to a wait, as they are. Those that no text can be written from are an answer that may pass. */
export function understoodMessages(server: string, messages: Message[]): Message[] {
  if (Array.isArray(messages) && messages.every(isMessage)) return messages;
  throw new Unreachable(`${server} ${what}.`);
}
