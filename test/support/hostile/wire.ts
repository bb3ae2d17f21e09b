import type { Socket } from "bun";

/** One answer of HTTP, as it came. */
export interface Reply {
  readonly status: number;
  /** Names in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How a wait for an answer ended: with one, with the connection's end, or with nothing in time. */
export type Outcome = Reply | "hung up" | "silent";

/** A connection that takes any bytes at all, and reads answers from what comes back. */
export interface Wire {
  readonly send: (bytes: Uint8Array) => void;
  /** The next answer. Of a stream it is the head alone. `bodiless` is an answer to HEAD. */
  readonly next: (milliseconds: number, bodiless?: boolean) => Promise<Outcome>;
  /** Sends what ends the client's side, and hears what still comes. */
  readonly finish: () => void;
  /** Cuts the connection. */
  readonly cut: () => void;
  readonly isOpen: () => boolean;
}

/** Connects to a port of this machine. */
export async function connectWire(port: number): Promise<Wire> {
  let heard: Buffer = Buffer.alloc(0);
  let unsent: Uint8Array[] = [];
  let isOpen = true;
  let changed = () => {};
  const flush = (socket: Socket) => {
    while (unsent[0]) {
      const written = socket.write(unsent[0]);
      if (written < unsent[0].length) {
        unsent[0] = unsent[0].subarray(Math.max(written, 0));
        return;
      }
      unsent.shift();
    }
  };
  const ended = () => {
    isOpen = false;
    unsent = [];
    changed();
  };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    allowHalfOpen: true,
    socket: {
      data(_, chunk) {
        heard = heard.length ? Buffer.concat([heard, chunk]) : Buffer.from(chunk);
        changed();
      },
      drain: flush,
      close: ended,
      end: ended,
      error: ended,
    },
  });
  return {
    isOpen: () => isOpen,
    send(bytes) {
      if (!isOpen) return;
      unsent.push(bytes);
      if (unsent.length === 1) flush(socket);
    },
    finish: () => socket.end(),
    cut() {
      isOpen = false;
      socket.terminate();
    },
    next: (milliseconds, bodiless = false) =>
      new Promise((resolve) => {
        const settle = (outcome: Outcome) => {
          clearTimeout(patience);
          changed = () => {};
          resolve(outcome);
        };
        const patience = setTimeout(() => settle("silent"), milliseconds);
        changed = () => {
          const found = replyAt(heard, bodiless);
          if (found) heard = heard.subarray(found.end);
          if (found) settle(found.reply);
          else if (!isOpen) settle("hung up");
        };
        changed();
      }),
  };
}

/** The first whole answer of what was heard. A note that the request may go on is passed over. */
function replyAt(heard: Buffer, bodiless: boolean): { reply: Reply; end: number } | null {
  const begin = heard.indexOf("\r\n\r\n") + 4;
  if (begin < 4) return null;
  const [first = "", ...lines] = heard.toString("latin1", 0, begin - 4).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  if (status === 100) {
    const later = replyAt(heard.subarray(begin), bodiless);
    return later && { ...later, end: later.end + begin };
  }
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const whole = (body: Buffer, end: number) => ({ reply: { status, headers, body }, end });
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  if (bodiless || isStream || status === 204 || status === 304)
    return whole(Buffer.alloc(0), begin);
  if (headers["transfer-encoding"] === "chunked") {
    const chunks = chunksAt(heard, begin);
    return chunks && whole(chunks.body, chunks.end);
  }
  const end = begin + Number(headers["content-length"] ?? 0);
  return end <= heard.length ? whole(heard.subarray(begin, end), end) : null;
}

function chunksAt(heard: Buffer, begin: number): { body: Buffer; end: number } | null {
  const parts: Buffer[] = [];
  for (let at = begin; ;) {
    const line = heard.indexOf("\r\n", at);
    if (line < 0) return null;
    const size = parseInt(heard.toString("latin1", at, line), 16);
    const next = line + 2 + size + 2;
    if (!(next <= heard.length)) return null;
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    parts.push(heard.subarray(line + 2, line + 2 + size));
    at = next;
  }
}
