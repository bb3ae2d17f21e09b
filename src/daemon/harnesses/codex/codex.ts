import { codexProfile } from "../../../client/harnesses/codex.ts";
import { RequestRefused } from "../../socket/request-refused.ts";
import type { Fate, HandedText, Harness, SessionSigns } from "../harness.ts";
import type { CodexProgram } from "./doors.ts";
import { createFolder, type Folder, type Reached } from "./folder.ts";
import type { AppServer } from "../../../client/machine/codex-app-server.ts";
import {
  addToQueue,
  deleteFromQueue,
  fateInTurns,
  isPaused,
  isSubagent,
  queuedEntry,
  readThread,
  startQueue,
  type Thread,
} from "./threads.ts";

/** What the adapter is made with. */
export interface CodexGiven extends CodexProgram {
  /** The settings folder of sessions that name none. */
  readonly configDir: string;
}

/** A session's thread with an app server that answers for it. */
interface Found extends Reached {
  readonly thread: Thread;
  /** Whether the session runs in that app server. */
  readonly isLoaded: boolean;
}

/** Codex: a session has a durable queue of messages, and the app server that runs it takes ours. */
export function codex(given: CodexGiven): Harness {
  const folders = new Map<string, Folder>();
  /** The settings folder of each session that is followed. */
  const followed = new Map<string, string>();
  /** What each followed session did when it was last heard of. */
  const states = new Map<string, string>();
  /** Sessions that count as ended unless the shared app server has them. */
  const doubted = new Set<string>();
  let signs: SessionSigns = { is() {}, answered() {} };

  function folderAt(configDir: string): Folder {
    const known = folders.get(configDir);
    if (known) return known;
    const made = createFolder(given, configDir, {
      status: (thread, state) => {
        if (followed.get(thread) !== configDir || states.get(thread) === state) return;
        tell(thread, state);
      },
      connected: (server) => void lookAtAll(server, configDir),
      // Its sessions have ended with it. Each is open again once it is resumed.
      gone: () => {
        for (const session of [...states.keys(), ...doubted])
          if (followed.get(session) === configDir) tell(session, "notLoaded");
      },
    });
    folders.set(configDir, made);
    return made;
  }
  const folderOf = (session: string) => folderAt(followed.get(session) ?? given.configDir);

  function tell(session: string, state: string): void {
    doubted.delete(session);
    if (state === "notLoaded") states.delete(session);
    else states.set(session, state);
    if (state === "active") signs.is(session, "busy");
    else if (state === "idle") signs.is(session, "idle");
    else if (state === "systemError") signs.is(session, "failed");
    else if (state === "notLoaded") signs.is(session, "closed");
  }

  /** A new connection knows nothing of what happened before it. */
  async function lookAtAll(server: AppServer, configDir: string): Promise<void> {
    for (const [session, folder] of followed)
      if (folder === configDir) await lookAt(server, session).catch(() => {});
  }

  async function lookAt(server: AppServer, session: string): Promise<void> {
    const state = (await readThread(server, session))?.status?.type ?? "notLoaded";
    // A session that the shared app server has never had runs in its terminal by itself.
    if (state === "notLoaded" && !states.has(session) && !doubted.has(session)) return;
    // An error that was there before is no new one.
    tell(session, state === "systemError" ? "idle" : state);
  }

  /** The session's thread and an app server that answers for it. Refuses what can hold no seat. */
  async function threadOf(session: string, folder: Folder): Promise<Found> {
    const reached = await folder.reach();
    const thread = await readThread(reached.server, session);
    if (thread === null) throw absent(session);
    if (isSubagent(thread)) throw ofSubagent(session);
    const isLoaded = reached.isShared && thread.status?.type !== "notLoaded";
    return { ...reached, thread, isLoaded };
  }

  async function hand(session: string, { id, text, ownersOnly }: HandedText): Promise<void> {
    const { server, thread, isLoaded } = await threadOf(session, folderOf(session));
    let entry = (await queuedEntry(server, session, id))?.id;
    if (entry === undefined) {
      const fate = await fateInTurns(server, thread, id);
      if (fate === "answered") return signs.answered(session, id);
      if (fate === "waiting") return;
      entry = await addToQueue(server, session, text, id);
    }
    // A queue that the person has paused is started for their own words alone.
    if (ownersOnly && isLoaded) await startQueue(server, session, entry);
  }

  /** Without a screen a turn would run that nobody sees. Codex closes such a session within a minute. */
  async function away(session: string): Promise<string | null> {
    const { isLoaded, hasScreen } = await threadOf(session, folderOf(session));
    return isLoaded && !hasScreen() ? "no_terminal" : null;
  }

  async function fate(session: string, handoff: string): Promise<Fate> {
    const { server } = await folderOf(session).reach();
    const thread = await readThread(server, session);
    if (thread === null) return "absent";
    if ((await queuedEntry(server, session, handoff)) !== null) {
      const isIdle = thread.status?.type !== "active" && thread.status?.type !== "notLoaded";
      return isIdle && (await isPaused(server, thread)) ? "paused" : "waiting";
    }
    const found = await fateInTurns(server, thread, handoff);
    if (found !== "absent") return found;
    // A text that has just left the queue may not be in its turn yet.
    const now = await readThread(server, session);
    return now?.status?.type === "active" ? "waiting" : "absent";
  }

  async function takeBack(session: string, handoff: string): Promise<boolean> {
    const { server } = await folderOf(session).reach();
    const entry = await queuedEntry(server, session, handoff);
    if (entry !== null && (await deleteFromQueue(server, session, entry.id))) return true;
    return (await fate(session, handoff)) === "absent";
  }

  return {
    profile: codexProfile,
    wake: { kind: "push", joinsTurn: false, away, hand, fate, takeBack },
    async check(session, configDir) {
      try {
        await threadOf(session, folderAt(configDir ?? given.configDir));
      } catch (error) {
        if (error instanceof RequestRefused) throw error;
        throw unavailable(error instanceof Error ? error.message : String(error));
      }
    },
    follow(session, configDir) {
      const before = followed.get(session);
      const configured = configDir ?? before ?? given.configDir;
      const folder = folderAt(configured);
      folder.keepConnected();
      if (before === configured) return;
      followed.set(session, configured);
      folder.withShared((server) => void lookAt(server, session).catch(() => {}));
    },
    doubt(session) {
      doubted.add(session);
      const folder = folderOf(session);
      folder.withShared((server) => void lookAt(server, session).catch(() => {}));
    },
    start(given) {
      signs = given;
      return () => {
        for (const folder of folders.values()) folder.stop();
        for (const known of [folders, followed, states, doubted]) known.clear();
      };
    },
  };
}

const absent = (session: string) =>
  new RequestRefused(
    "codex_target_absent",
    `Codex has no session ${session}.`,
    "Run the command in the session that is to have the seat, after its first prompt.",
  );

const ofSubagent = (session: string) =>
  new RequestRefused(
    "codex_subagent_target",
    `${session} is a subagent's conversation, and a subagent has no seat.`,
    "Run the command in the session itself.",
  );

const unavailable = (reason: string) =>
  new RequestRefused(
    "harness_unavailable",
    `Codex cannot be asked about the session: ${reason}.`,
    "Look whether `codex app-server daemon version` answers, then run the command again.",
  );
