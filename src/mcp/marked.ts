import { messageElement } from "../agent-text/message-element.ts";
import { plainText } from "../agent-text/text-element.ts";
import type { Message } from "./texts.ts";

/**
 * An answer for programs, in which what others wrote stays marked: some harnesses show a model this and not the text. The
 * body of a message is its whole element, and no other text can begin or end one.
 */
export function marked(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(marked);
  const entries = Object.entries(value).map(([key, inner]) => [plainText(key), marked(inner)]);
  const record = Object.fromEntries(entries) as object;
  return isMessage(value) ? { ...record, body: messageElement(value) } : record;
}

const isMessage = (value: object): value is Message =>
  "body" in value && "seq" in value && "from" in value && "sender" in value;
