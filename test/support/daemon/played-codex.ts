import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll } from "bun:test";
import type { ServerWebSocket } from "bun";
import { codex } from "../../../src/daemon/harnesses/codex/codex.ts";
import { knownSocket } from "../../../src/daemon/harnesses/codex/doors.ts";
import { systemClock } from "../../../src/daemon/loop/clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

interface PlayedTurn {
  status: "inProgress" | "completed" | "failed" | "interrupted";
  completedAt: number | null;
  items: { type: string; clientId: string }[];
}

interface Entry {
  id: string;
  clientUserMessageId: string;
  text: string;
}

/** A conversation of the played Codex. */
export interface PlayedThread {
  id: string;
  parentThreadId: string | null;
  status: "active" | "idle" | "systemError" | "notLoaded";
  queue: Entry[];
  turns: PlayedTurn[];
  /** Whether its person stopped it: then the queue starts no turn. */
  isPaused: boolean;
}

type Params = Record<string, string>;

/**
 * Codex's app server, as the test plays it: threads with a durable queue, behind a Unix socket that speaks its protocol. A
 * turn begins by itself with what is queued for an idle thread, and lasts until the test ends it.
 */
export function playedCodex() {
  const configDir = temporaryFolder(() => stop());
  const path = knownSocket(configDir);
  const threads = new Map<string, PlayedThread>();
  const sockets = new Set<ServerWebSocket<unknown>>();
  /** The methods that were called, in order. */
  const calls: string[] = [];
  /** Methods that this version does not have. */
  const unknown = new Set<string>();
  const screens: WebSocket[] = [];
  const seen = {
    /** Called when a turn begins, with the entry of the queue that it begins with. */
    begin: null as ((thread: PlayedThread, entry: Entry | null) => void) | null,
    /** The next entry is lost. */
    losesNext: false,
  };
  let server: ReturnType<typeof Bun.serve> | null = null;
  let entries = 0;

  function notify(method: string, params: object): void {
    for (const socket of sockets) socket.send(JSON.stringify({ method, params }));
  }
  function become(thread: PlayedThread, status: PlayedThread["status"]): void {
    thread.status = status;
    notify("thread/status/changed", { threadId: thread.id, status: { type: status } });
  }
  /** Begins a turn with the oldest entry of the queue, or with the one that is named. */
  function runQueue(thread: PlayedThread, entry = thread.queue[0]): boolean {
    if (entry === undefined || thread.status === "active" || thread.status === "notLoaded")
      return false;
    thread.queue = thread.queue.filter((one) => one !== entry);
    begin(thread, entry.clientUserMessageId, entry);
    return true;
  }
  function begin(thread: PlayedThread, clientId: string, entry: Entry | null): void {
    const items = [{ type: "userMessage", clientId }];
    thread.turns.push({ status: "inProgress", completedAt: null, items });
    thread.isPaused = false;
    become(thread, "active");
    seen.begin?.(thread, entry);
  }
  function end(id: string, status: PlayedTurn["status"]): void {
    const thread = threads.get(id)!;
    Object.assign(thread.turns.at(-1)!, { status, completedAt: 1 });
    thread.isPaused = status === "interrupted";
    become(thread, status === "failed" ? "systemError" : "idle");
    if (!thread.isPaused) runQueue(thread);
  }

  function thread({ threadId = "" }: Params): PlayedThread {
    const found = threads.get(threadId);
    if (!found) throw new Error(`thread not loaded: ${threadId}`);
    return found;
  }
  const methods: Record<string, (params: Params) => object> = {
    initialize: () => ({ userAgent: "played" }),
    "thread/read": (params) => {
      const { id, parentThreadId, status, turns: all } = thread(params);
      const turns = params["includeTurns"] ? all : [];
      const shown = { id, sessionId: parentThreadId ?? id, parentThreadId, turns };
      return { thread: { ...shown, status: { type: status } } };
    },
    "thread/turns/list": (params) => ({
      data: thread(params).turns.toReversed(),
      nextCursor: null,
    }),
    "thread/queue/list": (params) => ({ data: thread(params).queue, nextCursor: null }),
    "thread/queue/add": (params) => {
      const to = thread(params);
      const [{ text = "" } = {}] = params["input"] as unknown as { text: string }[];
      const entry = { id: `entry-${++entries}`, text };
      if (seen.losesNext) {
        seen.losesNext = false;
        become(to, "active");
        become(to, "idle");
        return { queuedSubmission: entry };
      }
      const added = { ...entry, clientUserMessageId: params["clientUserMessageId"]! };
      to.queue.push(added);
      if (!to.isPaused) runQueue(to);
      return { queuedSubmission: added };
    },
    "thread/queue/start": (params) => {
      const of = thread(params);
      const entry = of.queue.find(({ id }) => id === params["queuedSubmissionId"]);
      if (!entry || !runQueue(of, entry)) throw new Error("queued submission not found");
      return {};
    },
    "thread/queue/delete": (params) => {
      const of = thread(params);
      const before = of.queue.length;
      of.queue = of.queue.filter(({ id }) => id !== params["queuedSubmissionId"]);
      return { deleted: of.queue.length < before };
    },
  };

  function answer(socket: ServerWebSocket<unknown>, text: string): void {
    const { id, method, params } = JSON.parse(text) as {
      id?: number;
      method: string;
      params: Params;
    };
    if (id === undefined) return;
    calls.push(method);
    try {
      const act = unknown.has(method) ? undefined : methods[method];
      if (!act) throw new Error(`Invalid request: unknown variant \`${method}\``);
      socket.send(JSON.stringify({ id, result: act(params) }));
    } catch (error) {
      const { message } = error as Error;
      socket.send(JSON.stringify({ id, error: { code: -32600, message } }));
    }
  }

  function start(): void {
    mkdirSync(dirname(path), { recursive: true });
    server = Bun.serve({
      unix: path,
      fetch: (request, upgrading) =>
        upgrading.upgrade(request, { data: null })
          ? undefined
          : new Response(null, { status: 400 }),
      websocket: {
        open: (socket) => void sockets.add(socket),
        close: (socket) => void sockets.delete(socket),
        message: (socket, text) => answer(socket, String(text)),
      },
    });
  }
  async function stop(): Promise<void> {
    await server?.stop(true);
    server = null;
    rmSync(path, { force: true });
  }
  /** Connects a terminal that shows sessions. */
  async function openScreen(): Promise<WebSocket> {
    const screen = new WebSocket(`ws+unix://${path}`);
    await new Promise((resolve) => screen.addEventListener("open", resolve));
    screens.push(screen);
    return screen;
  }
  afterAll(() => {
    for (const screen of screens) screen.close();
  });

  return {
    configDir,
    threads,
    calls,
    unknown,
    seen,
    start,
    stop,
    end,
    openScreen,
    adapter: codex({
      command: ["/nonexistent/codex"],
      version: "0.0.0-test",
      env: {},
      clock: systemClock,
      configDir,
    }),
    /** A thread that is loaded and idle. */
    thread(id = "one", parentThreadId: string | null = null): PlayedThread {
      const made: PlayedThread = {
        id,
        parentThreadId,
        status: "idle",
        queue: [],
        turns: [],
        isPaused: false,
      };
      threads.set(id, made);
      return made;
    },
    /** The person types a prompt. */
    prompt: (id = "one") => begin(threads.get(id)!, crypto.randomUUID(), null),
    /** A terminal resumes a session: what waits in its queue runs. */
    load(id = "one") {
      become(threads.get(id)!, "idle");
      runQueue(threads.get(id)!);
    },
    /** A session ends in the middle of a turn, as by a crash. */
    crash(id = "one") {
      const { turns } = threads.get(id)!;
      const last = turns.at(-1);
      if (last?.status === "inProgress") last.status = "interrupted";
      become(threads.get(id)!, "notLoaded");
    },
    become: (status: PlayedThread["status"], id = "one") => become(threads.get(id)!, status),
  };
}
