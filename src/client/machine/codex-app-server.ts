/** Timers. */
interface Timers {
  /** Calls `act` after so many milliseconds. The function that it returns cancels that. */
  after(milliseconds: number, act: () => void): () => void;
}

/** What carries the messages: a socket, or a child's standard streams. */
export interface Wire {
  send(text: string): void;
  close(): void;
}

/** A connection to an app server. */
export interface AppServer {
  /** Calls a method. Throws `CallRefused` for an error, and `ConnectionLost` when no answer comes. */
  call(method: string, params: object): Promise<unknown>;
  close(): void;
}

/** The app server answered with an error. */
export class CallRefused extends Error {
  override readonly name = "CallRefused";
}

/** The app server is gone, or it is silent. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** Both ends of a connection: what calls methods, and what takes the messages that arrive. */
export interface Protocol {
  readonly server: AppServer;
  receive(text: string): void;
  /** The connection has ended: every open call fails. */
  ended(): void;
}

const answerMs = 10_000;

interface OpenCall {
  answer(message: Answer): void;
  lose(): void;
}
interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

/**
 * The app server's protocol: JSON-RPC without the version member. Questions of the app server, such as approvals, are never
 * answered: the person's own screen gets them too.
 */
export function speakTo(
  wire: Wire,
  clock: Timers,
  onNotice: (method: string, params: unknown) => void,
): Protocol {
  const open = new Map<number, OpenCall>();
  let calls = 0;

  function call(method: string, params: object): Promise<unknown> {
    const id = ++calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const cancel = clock.after(answerMs, () => {
      open.delete(id);
      reject(new ConnectionLost(`Codex does not answer ${method}`));
    });
    open.set(id, {
      answer({ result, error }) {
        cancel();
        if (error === undefined) resolve(result);
        else reject(new CallRefused(String(error.message ?? "Codex refused it")));
      },
      lose() {
        cancel();
        reject(new ConnectionLost("the connection to Codex has ended"));
      },
    });
    wire.send(JSON.stringify({ id, method, params }));
    return promise;
  }

  return {
    server: { call, close: () => wire.close() },
    receive(text) {
      const message = parsed(text);
      if (message === null) return;
      if (typeof message.method === "string") return onNotice(message.method, message.params);
      const waiting = open.get(message.id as number);
      open.delete(message.id as number);
      waiting?.answer(message);
    },
    ended() {
      const lost = [...open.values()];
      open.clear();
      for (const one of lost) one.lose();
    },
  };
}

/** Says who calls, which the app server wants to know before anything else. */
export async function introduce(
  { server }: Protocol,
  wire: Wire,
  version: string,
): Promise<AppServer> {
  await server.call("initialize", {
    clientInfo: { name: "service", title: "service", version },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  wire.send(JSON.stringify({ method: "initialized" }));
  return server;
}

type Message = Answer & { id?: unknown; method?: unknown; params?: unknown };

function parsed(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}
