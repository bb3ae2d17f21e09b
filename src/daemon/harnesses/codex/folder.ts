import type { AppServer } from "../../../client/machine/codex-app-server.ts";
import { connectShared, knownSocket, startOwn, type CodexProgram } from "./doors.ts";
import { connectionsTo } from "./screens.ts";

/** The app servers of one settings folder. */
export interface Folder {
  /** The shared app server if one listens, else one of our own. */
  reach(): Promise<Reached>;
  /** Keeps a connection to the shared app server from now on. */
  keepConnected(): void;
  /** Does something with the shared app server, if it is connected. */
  withShared(act: (server: AppServer) => void): void;
  stop(): void;
}

interface Connection {
  readonly server: AppServer;
  /** Resolves when the connection has ended. */
  readonly gone: Promise<void>;
}

/** An app server that answers. */
export interface Reached {
  readonly server: AppServer;
  /** Whether its sessions run in it. Else it only sees what they write. */
  readonly isShared: boolean;
  /** Whether a screen is connected to it. True where that cannot be told. */
  hasScreen(): boolean;
}

/** What is heard of a folder's sessions. */
export interface Heard {
  /** The state of a thread has changed. */
  status(thread: string, state: string): void;
  /** A shared app server listens. */
  connected(server: AppServer): void;
  /** No shared app server listens, or none any more. */
  gone(): void;
}

const firstPauseMs = 500;
const longestPauseMs = 8_000;
/** How long an app server of our own stays after its last use. */
const keepOwnMs = 10_000;

/** Makes the connections to the app servers of a settings folder. None is made before it is needed. */
export function createFolder(program: CodexProgram, configDir: string, heard: Heard): Folder {
  const { clock } = program;
  const leaving = new AbortController();
  let path = knownSocket(configDir);
  let shared: Promise<Connection | null> | null = null;
  let own: Promise<AppServer> | null = null;
  let cancelEnd = () => {};
  let isKept = false;

  function notice(method: string, params: unknown): void {
    if (method !== "thread/status/changed") return;
    const { threadId, status } = (params ?? {}) as StatusChanged;
    if (threadId && status?.type) heard.status(threadId, status.type);
  }

  /** The connection to the shared app server, which is made if there is none. Null if none listens. */
  function connect(): Promise<Connection | null> {
    const made = (shared ??= connected().finally(() => void forgetWithout(made)));
    return made;
  }
  async function connected(): Promise<Connection | null> {
    const gone = Promise.withResolvers<void>();
    const listener = { notice, ended: gone.resolve };
    const server = await connectShared(program, path, listener).catch(() => null);
    if (server === null) return null;
    if (leaving.signal.aborted) server.close();
    else heard.connected(server);
    return { server, gone: gone.promise };
  }
  /** The next one who asks connects again, once there is no connection any more. */
  async function forgetWithout(made: Promise<Connection | null>): Promise<void> {
    await (
      await made
    )?.gone;
    if (shared === made) shared = null;
  }

  /** Codex says where its app server listens. It is asked only when nothing listens at the usual place. */
  async function search(): Promise<Connection | null> {
    const told = await toldSocket(program, configDir);
    if (told === null || told === path) return null;
    path = told;
    return connect();
  }

  function startedOwn(): Promise<AppServer> {
    const started = (own ??= startOwn(program, configDir, () => {
      if (own === started) own = null;
    }));
    started.catch(() => {
      if (own === started) own = null;
    });
    cancelEnd();
    cancelEnd = clock.after(keepOwnMs, () => void endOwn());
    return started;
  }

  async function endOwn(): Promise<void> {
    const ending = own;
    own = null;
    (await ending?.catch(() => null))?.close();
  }

  async function keep(): Promise<void> {
    let wasThere = true;
    for (let pause = firstPauseMs; !leaving.signal.aborted;) {
      const connection = await connect();
      if (connection !== null) pause = firstPauseMs;
      else if (wasThere) heard.gone();
      wasThere = connection !== null;
      await connection?.gone;
      await clock.pause(pause * (0.5 + Math.random() / 2), leaving.signal);
      pause = Math.min(pause * 2, longestPauseMs);
    }
  }

  return {
    async reach() {
      const connection = (await connect()) ?? (own === null ? await search() : null);
      if (connection === null)
        return { server: await startedOwn(), isShared: false, hasScreen: () => true };
      // One of the connections is ours.
      const hasScreen = () => (connectionsTo(path) ?? 2) > 1;
      return { server: connection.server, isShared: true, hasScreen };
    },
    keepConnected() {
      if (!isKept) void keep();
      isKept = true;
    },
    withShared(act) {
      void shared?.then((connection) => connection && act(connection.server));
    },
    stop() {
      leaving.abort();
      cancelEnd();
      void endOwn();
      void shared?.then((connection) => connection?.server.close());
    },
  };
}

interface StatusChanged {
  readonly threadId?: string;
  readonly status?: { readonly type?: string };
}

/** Where Codex says that its app server listens, or null. */
async function toldSocket(
  { command, env }: CodexProgram,
  configDir: string,
): Promise<string | null> {
  try {
    const child = Bun.spawn([...command, "app-server", "daemon", "version"], {
      env: { ...env, CODEX_HOME: configDir },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5_000,
    });
    const told = JSON.parse(await new Response(child.stdout).text()) as Record<string, unknown>;
    const { status, socketPath } = told;
    return status === "running" && typeof socketPath === "string" ? socketPath : null;
  } catch {
    return null;
  }
}
