import { spoken } from "../../contract/mentions.ts";

const written = /(?<![\p{L}\p{N}_.\-@/\\])[A-Za-z][A-Za-z0-9]{1,5}-[1-9][0-9]*(?![\p{L}\p{N}])/gu;

/** Words that have the form of a task reference, outside code and links: as written, in order, with repeats. */
export function referencesIn(body: string): string[] {
  // Most texts have none, so their code and links need not be found.
  if (!/[A-Za-z0-9]-[1-9]/.test(body)) return [];
  return [...spoken(body).matchAll(written)].map(([text]) => text);
}
