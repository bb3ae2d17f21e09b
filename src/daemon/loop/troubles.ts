/** Says troubles in the log, each once for as long as it goes on. */
export interface Troubles {
  say(where: string, what: string): void;
  /** A trouble is over: the next one is said again. */
  over(where: string): void;
}

/** Makes the part that keeps the log short: a server may be away for weeks, and it is asked every minute. */
export function createTroubles(log: (line: string) => void): Troubles {
  const said = new Map<string, string>();
  return {
    say(where, what) {
      if (said.get(where) === what) return;
      said.set(where, what);
      log(`${where}: ${what}`);
    },
    over: (where) => void said.delete(where),
  };
}
