import type { SessionKey } from "../../db/journal/journal-sessions.ts";
import type { SessionSigns } from "../harnesses/harness.ts";
import type { LiveSession } from "./held/live-session.ts";

interface Parts {
  liveOf(key: SessionKey): LiveSession | undefined;
  /** Opens a session that had ended and still holds seats. Does nothing for any other. */
  openAgain(key: SessionKey): Promise<void>;
  end(key: SessionKey): Promise<unknown>;
  /** Runs work of a session after what it does now. */
  later(session: LiveSession, work: () => Promise<void>): void;
  is(session: LiveSession, state: "busy" | "idle" | "failed"): Promise<void>;
  answered(session: LiveSession, handoff: string): Promise<void>;
  log(line: string): void;
}

/** Makes the ear for what the adapter of a harness says about its sessions. */
export function createSigns(harness: string, parts: Parts): SessionSigns {
  const { liveOf, later, log } = parts;
  const told = (id: string, work: (session: LiveSession) => Promise<void>) => {
    const session = liveOf({ harness, id });
    if (session) later(session, () => work(session));
  };

  async function isNow(id: string, state: Parameters<SessionSigns["is"]>[1]): Promise<void> {
    const key = { harness, id };
    if (state === "closed") return void (await parts.end(key));
    if (!liveOf(key)) await parts.openAgain(key);
    told(id, (session) => parts.is(session, state));
  }

  return {
    is(id, state) {
      isNow(id, state).catch((error: unknown) => log(`${harness}:${id}: ${String(error)}`));
    },
    answered: (id, handoff) => told(id, (session) => parts.answered(session, handoff)),
  };
}
