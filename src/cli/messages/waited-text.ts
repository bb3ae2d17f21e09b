import type { Message } from "./message-types.ts";
import type { Waited } from "./wait-reply.ts";
import { counted } from "../terminal/table.ts";
import { messageBlock } from "./message-text.ts";
import type { AgentReader } from "../../agent-text/message-hints.ts";
import { messageText } from "../../agent-text/message-text.ts";
import type { Typed } from "../frame/suggest.ts";

/** The result of a wait for a reply, with the full messages that arrived. `reader` is null for a person. */
export function waitedText(
  { reply, owner_messages, outcome }: Waited,
  { seq }: Message,
  seconds: number,
  reader: AgentReader | null,
  typed: Typed,
): string {
  if (outcome === "timeout")
    return `No reply to #${seq} within ${counted(seconds, "second", "seconds")}. It was sent, so do not send it again. To wait on: ${typed(`replies ${seq} --wait ${seconds}`)}`;
  if (reader === null) return `A reply to #${seq}:\n\n${messageBlock(reply!, "person")}`;
  return [
    ...(owner_messages.length ? ["Your owner said meanwhile:"] : []),
    ...owner_messages.map((message) => messageText(message, reader)),
    ...(reply ? [`A reply to #${seq}:`, messageText(reply, reader)] : []),
  ].join("\n");
}
