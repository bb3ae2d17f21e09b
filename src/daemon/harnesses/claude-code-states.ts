import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { processAt } from "../../client/files/process.ts";
import type { Clock } from "../loop/clock.ts";
import type { SessionSigns } from "./harness.ts";

const lookMs = 5_000;
/** A session that is idle for so long is in no turn that hooks will still tell of. */
const settledMs = 10_000;

/** What Claude Code writes about a session, as far as it is read. */
interface WrittenState {
  readonly pid: number;
  /** When the process started, in the system's own units. */
  readonly procStart: string;
  readonly sessionId: string;
  readonly status: string;
  /** Milliseconds since 1970. */
  readonly statusUpdatedAt: number;
}

/**
 * Reads which sessions are idle from the files that Claude Code writes for its processes, below the folder of its settings.
 * No hook runs after the person has interrupted a turn, so nothing else tells of its end. The files are not documented: one
 * that has another form says nothing, and then the session counts as busy until it has been silent for long.
 */
export function watchClaudeCode(usualFolder: string, clock: Clock) {
  /** The folder of each session's settings. */
  const folders = new Map<string, string>();
  /** Since when a session was idle that was told of. */
  const told = new Map<string, number>();

  function look(signs: SessionSigns): void {
    for (const folder of new Set(folders.values()))
      for (const state of statesIn(join(folder, "sessions"))) {
        const { sessionId, status, statusUpdatedAt: since } = state;
        const isNews = folders.get(sessionId) === folder && told.get(sessionId) !== since;
        if (!isNews || status !== "idle" || clock.now() - since < settledMs) continue;
        // A process that was killed leaves its file.
        if (processAt(state.pid)?.started !== state.procStart) continue;
        told.set(sessionId, since);
        signs.is(sessionId, "idle");
      }
  }

  return {
    follow: (session: string, configDir: string | null) =>
      void folders.set(session, configDir ?? usualFolder),
    start(signs: SessionSigns) {
      let cancel = () => {};
      const keepLooking = () => {
        cancel = clock.after(lookMs, () => {
          look(signs);
          keepLooking();
        });
      };
      keepLooking();
      return () => cancel();
    },
  };
}

function statesIn(folder: string): WrittenState[] {
  return namesIn(folder).flatMap((name) => {
    try {
      const state: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
      return isState(state) ? [state] : [];
    } catch {
      // It is half written, or has gone.
      return [];
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

function isState(value: unknown): value is WrittenState {
  const { pid, procStart, sessionId, status, statusUpdatedAt } = (value ?? {}) as WrittenState;
  return (
    [pid, statusUpdatedAt].every((number) => typeof number === "number") &&
    [procStart, sessionId, status].every((text) => typeof text === "string")
  );
}
