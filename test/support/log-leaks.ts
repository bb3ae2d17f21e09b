import { secretsInText } from "../../src/contract/credentials.ts";
import type { Db } from "../../src/db/engine/database.ts";

/** Shorter texts may stand in a line by chance. */
const leastLength = 10;

/**
 * What the lines of a server's log must not hold and do: a secret, or a text that somebody wrote, such as a message, a title
 * or a name of a file. A text is one of several words, or the name of a file.
 */
export function leaksIn(db: Db, lines: readonly unknown[]): string[] {
  if (lines.length === 0) return [];
  const log = JSON.stringify(lines);
  const secrets = log.match(secretsInText(16)) ?? [];
  const written = db
    .read((tx) => tx.all<{ data: string }>("SELECT data FROM event"))
    .flatMap(({ data }) => textsIn(JSON.parse(data) as unknown));
  const told = [...new Set(written)].filter((text) => log.includes(text));
  return [...secrets, ...told].map((text) => `the log of the server holds ${JSON.stringify(text)}`);
}

/** The texts in what an event says, as they stand in JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string")
    return value.length >= leastLength && /\s|^[^/\s]+\.\w{2,4}$/.test(value)
      ? [JSON.stringify(value).slice(1, -1)]
      : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
