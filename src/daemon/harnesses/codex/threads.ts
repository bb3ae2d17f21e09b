import { CallRefused, type AppServer } from "../../../client/machine/codex-app-server.ts";
import type { Fate } from "../harness.ts";

/** What Codex says about a thread, as far as the daemon reads it. */
export interface Thread {
  readonly id: string;
  readonly sessionId?: string;
  readonly parentThreadId?: string | null;
  readonly threadSource?: string | null;
  readonly status?: { readonly type?: string };
}

interface Turn {
  readonly status?: string;
  readonly completedAt?: number | null;
  readonly items?: readonly { readonly type?: string; readonly clientId?: string | null }[];
}

interface Entry {
  readonly id: string;
  readonly clientUserMessageId?: string | null;
}

interface Page<T> {
  readonly data?: readonly T[];
  readonly nextCursor?: string | null;
}

/** The most pages that are looked through for a text. It is asked for after each turn, so it is never that old. */
const mostPages = 5;
const turnsOnPage = 20;

/** A thread by its exact id, or null if there is none. */
export async function readThread(server: AppServer, threadId: string): Promise<Thread | null> {
  try {
    const answer = (await server.call("thread/read", { threadId })) as { thread?: Thread };
    return answer.thread ?? null;
  } catch (error) {
    if (error instanceof CallRefused && isAbsence(error.message)) return null;
    throw error;
  }
}

/** An unknown method and a missing thread have the same number. Only the words tell them apart. */
const isAbsence = (message: string): boolean =>
  /thread not loaded|not found|no rollout|invalid thread id/i.test(message);

/** Whether a thread is a subagent's. Codex would run a text that is handed to one. */
export const isSubagent = ({ id, sessionId, parentThreadId, threadSource }: Thread): boolean =>
  Boolean(parentThreadId) || threadSource === "subagent" || (sessionId ?? id) !== id;

/** Puts a text into a thread's queue. It is there twice if it was there before. */
export async function addToQueue(server: AppServer, threadId: string, text: string, id: string) {
  const input = [{ type: "text", text, text_elements: [] }];
  const given = { threadId, input, clientUserMessageId: id };
  const answer = (await server.call("thread/queue/add", given)) as { queuedSubmission?: Entry };
  return answer.queuedSubmission?.id ?? "";
}

/** Begins a turn with an entry of a queue that the person has paused. Does nothing if the queue runs. */
export async function startQueue(server: AppServer, threadId: string, queuedSubmissionId: string) {
  try {
    await server.call("thread/queue/start", { threadId, queuedSubmissionId });
  } catch (error) {
    // Its turn has begun, or another one runs.
    if (!(error instanceof CallRefused)) throw error;
  }
}

/** Takes an entry out of a queue. False if it is no longer there. */
export async function deleteFromQueue(
  server: AppServer,
  threadId: string,
  queuedSubmissionId: string,
): Promise<boolean> {
  const answer = await server.call("thread/queue/delete", { threadId, queuedSubmissionId });
  return (answer as { deleted?: boolean }).deleted === true;
}

/** The entry of a thread's queue with a text of ours, or null. */
export async function queuedEntry(
  server: AppServer,
  threadId: string,
  handoff: string,
): Promise<Entry | null> {
  for await (const { data = [] } of pages<Entry>(server, "thread/queue/list", { threadId })) {
    const found = data.find(({ clientUserMessageId }) => clientUserMessageId === handoff);
    if (found) return found;
  }
  return null;
}

/** The turns of a thread, newest first. */
async function* turnsOf(server: AppServer, threadId: string, limit = turnsOnPage) {
  const given = { threadId, limit, sortDirection: "desc" };
  try {
    for await (const { data = [] } of pages<Turn>(server, "thread/turns/list", given)) yield* data;
  } catch (error) {
    if (!(error instanceof CallRefused && /unknown variant/.test(error.message))) throw error;
    // An older version gives all turns at once, oldest first.
    const whole = await server.call("thread/read", { threadId, includeTurns: true });
    yield* ((whole as { thread?: { turns?: Turn[] } }).thread?.turns ?? []).toReversed();
  }
}

/** Whether the person stopped the last turn. Then the queue waits until a turn of theirs has ended. */
export async function isPaused(server: AppServer, { id }: Thread): Promise<boolean> {
  for await (const turn of turnsOf(server, id, 1)) return wasStopped(turn);
  return false;
}

/** A turn that the person stopped has an end. One that ended with its process has none. */
const wasStopped = ({ status, completedAt }: Turn): boolean =>
  status === "interrupted" && completedAt !== null && completedAt !== undefined;

/** What became of a text with which a turn has begun. `absent` if no turn holds it. */
export async function fateInTurns(
  server: AppServer,
  thread: Thread,
  handoff: string,
): Promise<Fate> {
  let later: readonly string[] = [];
  for await (const turn of turnsOf(server, thread.id)) {
    const { status = "", items = [] } = turn;
    const holdsIt = items.some(
      ({ type, clientId }) => type === "userMessage" && clientId === handoff,
    );
    // What a turn left unanswered stays in the history, and the next turn answers it.
    if (holdsIt) return fateOfTurn(turn, thread, later);
    later = [...later, status];
  }
  return "absent";
}

function fateOfTurn(turn: Turn, thread: Thread, later: readonly string[]): Fate {
  const { status } = turn;
  if (status === "completed" || later.includes("completed")) return "answered";
  if (status === "inProgress" || later.includes("inProgress")) return "waiting";
  if (wasStopped(turn)) return "paused";
  // Another process may run the turn: to this app server it has no end.
  if (status === "interrupted" && thread.status?.type === "notLoaded") return "waiting";
  return "unanswered";
}

async function* pages<T>(server: AppServer, method: string, params: object) {
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const answer = (await server.call(method, { ...params, cursor })) as Page<T>;
    yield answer;
    cursor = answer.nextCursor ?? null;
    if (cursor === null) return;
  }
}
