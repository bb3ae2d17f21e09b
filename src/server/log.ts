import { withoutSecrets } from "../contract/credentials.ts";

/** How much a line matters, from the least to the most. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** How lines are written: an object of JSON, or words for a reader. */
export type LogForm = "json" | "text";

/** What one line says. It holds no secret and nothing that people wrote. */
export interface LogEntry {
  readonly level: LogLevel;
  /** What happened, such as `key.made`; a fault has a message instead. */
  readonly event?: string;
  readonly [more: string]: unknown;
}

/** Writes one line for the operator of a server. */
export interface Log {
  (entry: LogEntry): void;
  /** Whether lines of a level are written. */
  takes(level: LogLevel): boolean;
}

/** Makes a log that writes lines of at least a level. Errors may repeat what was sent, so secrets are taken out of every line. */
export function createLog(
  write: (line: string) => void,
  { least, form }: { readonly least: LogLevel; readonly form: LogForm },
): Log {
  const takes = (level: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(least);
  const log = (entry: LogEntry) => {
    if (!takes(entry.level)) return;
    const line = { at: new Date().toISOString(), ...entry };
    write(withoutSecrets(form === "json" ? JSON.stringify(line) : asWords(line)));
  };
  return Object.assign(log, { takes });
}

/** A line for a reader: when, how much it matters, what happened, and the rest by name. */
function asWords({ at, level, event, message, ...more }: LogEntry): string {
  const rest = Object.entries(more).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : `${name}=${asWord(value)}`,
  );
  return [
    at,
    level,
    ...[event, message].flatMap((text) => (text ? asWord(text) : [])),
    ...rest,
  ].join(" ");
}

/** A value as one word. Whatever could be taken for more than one, or for another line, is quoted. */
const asWord = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w@.:/+-]+$/.test(text) ? text : JSON.stringify(text);
};
