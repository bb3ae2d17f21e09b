import type { Socket } from "bun";
import { serveDriver } from "./driver.ts";
import { connect, openSocket, requestText } from "./http.ts";

/** Which streams to open: so many for each token, on a path that answers with server-sent events. */
export interface Open {
  port: number;
  path: string;
  tokens: string[];
  each: number;
  /** Never read them. */
  stalled?: boolean;
}
/** A request that makes a `head` event on every open stream. */
export interface Event {
  path: string;
  token?: string;
  body: string;
}

const marker = "event: head\n";

let sockets: Socket<undefined>[] = [];
let port = 0;
let ended = 0;
/** Counts up with each event, so that a stream is counted once for it however often it is told. */
let round = 0;
let seen = 0;
let lastData = 0;
let allSeen: (() => void) | undefined;

/** Follows one stream: notes when it has seen the event of this round. A piece may end inside a line. */
function follower(): (bytes: Buffer) => void {
  let seenRound = -1;
  let rest = "";
  return (bytes) => {
    lastData = performance.now();
    const text = rest + bytes.toString("latin1");
    rest = text.endsWith("\n") ? "" : text.slice(-marker.length);
    if (seenRound === round || !text.includes(marker)) return;
    seenRound = round;
    if (++seen === sockets.length) allSeen?.();
  };
}

async function everyStream(): Promise<void> {
  if (seen === sockets.length) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  allSeen = resolve;
  const late = () => reject(new Error(`${seen} of ${sockets.length} streams saw it in a minute`));
  const timer = setTimeout(late, 60_000);
  await promise.finally(() => clearTimeout(timer));
}

async function quiet(milliseconds: number): Promise<void> {
  while (performance.now() - lastData < milliseconds) await Bun.sleep(20);
}

async function openOne(token: string, { stalled, path }: Open): Promise<void> {
  const socket = await openSocket(port, requestText(port, "GET", path, token), {
    data: follower(),
    closed: () => void ended++,
  });
  if (stalled) socket.pause();
  sockets.push(socket);
}

const handlers = {
  /** Opens the streams, 100 at a time, and answers once each has its opening events and is quiet. */
  async open(open: Open): Promise<void> {
    port = open.port;
    round = seen = ended = 0;
    const tokens = open.tokens.flatMap((token) => Array<string>(open.each).fill(token));
    for (let i = 0; i < tokens.length; i += 100)
      await Promise.all(tokens.slice(i, i + 100).map((token) => openOne(token, open)));
    if (!open.stalled) await everyStream();
    lastData = performance.now();
    await quiet(500);
  },

  /** Makes an event and gives the milliseconds until every stream has seen it. */
  async event({ path, token, body }: Event): Promise<number> {
    const connection = await connect(port);
    round++;
    seen = 0;
    const start = performance.now();
    const answered = connection.send(requestText(port, "POST", path, token, body));
    await everyStream();
    const elapsed = performance.now() - start;
    await answered;
    connection.close();
    await quiet(200);
    return elapsed;
  },

  /** Reads what the streams still hold and gives how many of them the server has ended. */
  async ended(): Promise<number> {
    for (const socket of sockets) socket.resume();
    lastData = performance.now();
    await quiet(500);
    return ended;
  },

  /** Ends every stream at once, without leaving its port in use. */
  close(): void {
    for (const socket of sockets) socket.terminate();
    sockets = [];
  },
};

export type StreamRequests = typeof handlers;

if (import.meta.main) serveDriver(handlers);
