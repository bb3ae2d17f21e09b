import { spoken } from "./mentions.ts";

const written = /(?<![\p{L}\p{N}_.\-@/\\])[A-Za-z][A-Za-z0-9]{1,5}-[1-9][0-9]*(?![\p{L}\p{N}])/gu;

/** What could be references of tasks in a text, outside code and links: as written, in their order, repeats included. */
export function referencesIn(body: string): string[] {
  // Most texts have none, and are not taken apart for it.
  if (!/[A-Za-z0-9]-[1-9]/.test(body)) return [];
  return [...spoken(body).matchAll(written)].map(([text]) => text);
}
