import { percentiles, type Percentiles } from "../stats.ts";
import {
  delays,
  everythingSeen,
  nothingSeen,
  present,
  type Arrivals,
  type Post,
  type Seen,
} from "./arrivals.ts";
import { serveDriver } from "./driver.ts";
import { connect, openSocket, requestText, type Connection } from "./http.ts";

/** A stream of a person and the boards that person is on, or an agent that waits on its inbox and its one board. */
export interface Listener {
  token: string;
  boards: string[];
}
export interface Listeners {
  port: number;
  streams: Listener[];
  agents: Listener[];
  /** Agents follow the streams of their inboxes in place of waits. */
  streamed?: boolean;
}
/** Posts at a fixed rate, however long the answers take: one after the other to each of the boards. */
export interface Schedule {
  rate: number;
  seconds: number;
  posters: { token: string; board: string }[];
  body: { body: string; to: string[] };
}
/** Milliseconds from the sending of a post. */
export interface Delivered {
  posts: number;
  /** From the moment a post was due to its sending: what the driver itself was late. */
  late: Percentiles;
  /** To its answer. */
  write: Percentiles;
  /** To each stream of somebody on its board. */
  stream: Percentiles;
  /** To the last of those streams. */
  lastStream: Percentiles;
  /** To the answer of each agent of its board, or to its stream. */
  poll: Percentiles;
  /** Deliveries that did not arrive within ten seconds after the last post. */
  missing: number;
}

let port = 0;
let streams: Seen[] = [];
let agents: Seen[] = [];
let closers: (() => void)[] = [];

/** Reads the heads of one stream as they come. */
async function follow(listener: Listener): Promise<void> {
  const arrivals = nothingSeen(listener.boards);
  const opened = Promise.withResolvers<void>();
  let rest = "";
  let heads = 0;
  const socket = await openSocket(port, requestText(port, "GET", "/v1/stream", listener.token), {
    data(bytes) {
      const at = performance.now();
      rest += bytes.toString("latin1");
      const end = rest.lastIndexOf("\n\n");
      if (end < 0) return;
      for (const [, data] of rest.slice(0, end + 1).matchAll(/event: head\ndata: (\{.*\})\n/g)) {
        const { board, seq } = JSON.parse(data!) as { board: string; seq: number };
        arrivals.get(board)?.push({ seq, at });
        if (++heads === listener.boards.length) opened.resolve();
      }
      rest = rest.slice(end + 2);
    },
    closed: () => opened.reject(new Error("A stream ended before its first events")),
  });
  streams.push(arrivals);
  closers.push(() => socket.terminate());
  await opened.promise;
}

/** Reads the messages of one inbox's stream as they come. */
async function followInbox(listener: Listener): Promise<void> {
  const arrivals = nothingSeen(listener.boards);
  const own = [...arrivals.values()][0]!;
  const opened = Promise.withResolvers<void>();
  let rest = "";
  const request = requestText(port, "GET", "/v1/me/inbox/stream", listener.token);
  const socket = await openSocket(port, request, {
    data(bytes) {
      const at = performance.now();
      rest += bytes.toString("latin1");
      const end = rest.lastIndexOf("\n\n");
      if (end < 0) return;
      const events = rest.slice(0, end + 1);
      if (events.includes("event: ready\n")) opened.resolve();
      for (const [, id] of events.matchAll(/^event: messages\nid: (\d+)$/gm))
        own.push({ seq: Number(id), at });
      rest = rest.slice(end + 2);
    },
    closed: () => opened.reject(new Error("An inbox's stream ended before its first event")),
  });
  agents.push(arrivals);
  closers.push(() => socket.terminate());
  await opened.promise;
}

/** Waits on an inbox again and again, each time for what is after the last message it was given. */
async function waitOn(listener: Listener): Promise<void> {
  const connection = await connect(port);
  const arrivals = nothingSeen(listener.boards);
  const own = [...arrivals.values()][0]!;
  agents.push(arrivals);
  let open = true;
  closers.push(() => {
    open = false;
    connection.close();
  });
  void ask(connection, listener.token, own, () => open);
}

async function ask(
  connection: Connection,
  token: string,
  arrivals: Arrivals,
  open: () => boolean,
): Promise<void> {
  let after = 0;
  while (open()) {
    const path = `/v1/me/inbox?wait=600&limit=200&after=${after}`;
    const body = await connection.send(requestText(port, "GET", path, token)).catch((error) => {
      if (open()) throw error;
    });
    if (body === undefined) return;
    const at = performance.now();
    for (const [, seq] of body.matchAll(/"seq":(\d+)/g)) after = Math.max(after, Number(seq));
    arrivals.push({ seq: after, at });
  }
}

/** Sends the posts when they are due, each over a connection that is free then. */
async function postAll({ rate, seconds, posters, body }: Schedule): Promise<Post[]> {
  const free = await Promise.all(Array.from({ length: 8 }, () => connect(port)));
  const text = JSON.stringify(body);
  const posts: Post[] = [];
  const sent: Promise<void>[] = [];
  const start = performance.now();

  async function send(due: number, { board, token }: Schedule["posters"][number]): Promise<void> {
    const at = performance.now();
    const connection = free.pop() ?? (await connect(port));
    const path = `/v1/boards/${board}/messages`;
    const answer = await connection.send(requestText(port, "POST", path, token, text));
    const answered = performance.now();
    free.push(connection);
    posts.push({ board, due, at, answered, seq: Number(/"seq":(\d+)/.exec(answer)?.[1]) });
  }

  for (let i = 0; i < rate * seconds; i++) {
    const due = start + (i * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await Bun.sleep(Math.ceil(early));
    sent.push(send(due, posters[i % posters.length]!));
  }
  await Promise.all(sent);
  for (const connection of free) connection.close();
  return posts;
}

const handlers = {
  /** Opens the streams and starts the waits; answers once the streams have their opening events. */
  async listen(listeners: Listeners): Promise<void> {
    port = listeners.port;
    for (let i = 0; i < listeners.streams.length; i += 50)
      await Promise.all(listeners.streams.slice(i, i + 50).map(follow));
    for (let i = 0; i < listeners.agents.length; i += 50)
      await Promise.all(
        listeners.agents.slice(i, i + 50).map(listeners.streamed ? followInbox : waitOn),
      );
    await Bun.sleep(500);
  },

  /** Posts, waits up to ten seconds until everybody has seen everything, and gives the times. */
  async post(schedule: Schedule): Promise<Delivered> {
    const posts = await postAll(schedule);
    const end = performance.now() + 10_000;
    while (performance.now() < end && !everythingSeen(posts, [...streams, ...agents]))
      await Bun.sleep(20);
    const toStreams = posts.map((post) => delays(post, streams));
    const toAgents = posts.map((post) => delays(post, agents));
    const all = [...toStreams, ...toAgents].flat();
    return {
      posts: posts.length,
      late: percentiles(posts.map(({ due, at }) => at - due)),
      write: percentiles(posts.map(({ at, answered }) => answered - at)),
      stream: percentiles(present(toStreams.flat())),
      lastStream: percentiles(toStreams.map((times) => Math.max(0, ...present(times)))),
      poll: percentiles(present(toAgents.flat())),
      missing: all.length - present(all).length,
    };
  },

  close(): void {
    for (const close of closers) close();
    streams = [];
    agents = [];
    closers = [];
  },
};

export type DeliveryRequests = typeof handlers;

if (import.meta.main) serveDriver(handlers);
