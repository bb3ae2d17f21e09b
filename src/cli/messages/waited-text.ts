import type { Message, Reader } from "./message-types.ts";
import type { Waited } from "./wait-reply.ts";
import { counted } from "../terminal/table.ts";
import { messageBlock } from "./message-text.ts";
import { wrapped } from "./delivery-text.ts";
import type { Typed } from "../frame/suggest.ts";

/** The result of a wait for a reply, with the full messages that arrived. */
export function waitedText(
  { reply, owner_messages, outcome }: Waited,
  { seq }: Message,
  seconds: number,
  reader: Reader,
  typed: Typed,
): string {
  if (outcome === "timeout")
    return `No reply to #${seq} within ${counted(seconds, "second", "seconds")}. It was sent, so do not send it again. To wait on: ${typed(`replies ${seq} --wait ${seconds}`)}`;
  if (reader === "person") return `A reply to #${seq}:\n\n${messageBlock(reply!, reader)}`;
  return [
    ...(owner_messages.length ? ["Your owner said meanwhile:"] : []),
    ...owner_messages.map((message) => wrapped(message, typed)),
    ...(reply ? [`A reply to #${seq}:`, wrapped(reply, typed)] : []),
  ].join("\n");
}
