import type { Socket } from "bun";

/** A request in the bytes of HTTP/1.1. */
export function requestText(
  port: number,
  method: "GET" | "POST",
  path: string,
  token?: string,
  body?: string,
): string {
  const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  if (token !== undefined) head.push(`Authorization: Bearer ${token}`);
  if (body !== undefined)
    head.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Opens a socket that sends one request and gives every piece of what comes back. Ends with `closed`. */
export function openSocket(
  port: number,
  request: string,
  on: { data(bytes: Buffer): void; closed(): void },
): Promise<Socket<undefined>> {
  return Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => void socket.write(request),
      data: (_, bytes) => on.data(bytes),
      close: () => on.closed(),
      error: () => on.closed(),
    },
  });
}

/** One connection that carries one request at a time, and is kept. */
export interface Connection {
  /** Sends a request and gives the body of its answer. Throws unless the answer is 200 or 201. */
  send(request: string): Promise<string>;
  close(): void;
}

/** Opens a kept connection. It reads answers that name their length, which all answers but streams do. */
export async function connect(port: number): Promise<Connection> {
  let pieces: Buffer[] = [];
  let length = 0;
  let needed = 0;
  let waiting: PromiseWithResolvers<string> | undefined;

  function received(bytes: Buffer): void {
    pieces.push(bytes);
    length += bytes.length;
    if (length < needed) return;
    const all = pieces.length === 1 ? bytes : Buffer.concat(pieces);
    const headEnd = all.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const head = all.toString("latin1", 0, headEnd);
    needed = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN);
    if (length < needed) return;
    const answer = waiting;
    const body = all.toString("utf8", headEnd + 4, needed);
    pieces = [];
    length = needed = 0;
    waiting = undefined;
    if (/^HTTP\/1.1 20[01] /.test(head)) answer?.resolve(body);
    else answer?.reject(new Error(`${head.split("\r\n")[0]}: ${body.slice(0, 300)}`));
  }

  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, bytes) => received(Buffer.from(bytes)),
      close: () => waiting?.reject(new Error("The server closed the connection")),
      error: (_, error) => waiting?.reject(error),
    },
  });
  return {
    send(request) {
      waiting = Promise.withResolvers();
      // Requests of the drivers are smaller than a socket's buffer, so one write takes them whole.
      if (socket.write(request) < request.length) throw new Error("The request was cut");
      return waiting.promise;
    },
    close: () => socket.end(),
  };
}
