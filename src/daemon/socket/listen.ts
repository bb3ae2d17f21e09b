import { chmodSync } from "node:fs";
import type { Details } from "../../contract/refusal.ts";
import {
  daemonProtocol,
  lineReader,
  LineTooLong,
  type DaemonAnswer,
} from "../../client/machine/daemon-wire.ts";
import type { ExtensionEvent } from "../../client/machine/extension-wire.ts";
import { peerUser } from "./c-library.ts";

/** One connection of a hook, a command or an extension. */
export interface Peer {
  /** True if the system took the whole answer for the other end. */
  answer(answer: Omit<DaemonAnswer, "v"> | ExtensionEvent): boolean;
  /** Sends an error and ends the connection. */
  refuse(code: string, message: string, hint: string, details?: Details): void;
  end(): void;
  /** Called once when the connection has ended, by whomever. */
  onEnd(act: () => void): void;
}

/** A request before anything in it was checked but that it is an object. */
export type RawRequest = Readonly<Record<string, unknown>>;

interface Connection {
  readonly peer: Peer;
  readonly readLines: ReturnType<typeof lineReader>;
  readonly unsent: Uint8Array[];
  readonly ends: (() => void)[];
  opened: boolean;
  closing: boolean;
  isOpen: boolean;
}

interface Listener {
  readonly path: string;
  /** The user whose processes may connect. */
  readonly userId: number | undefined;
  /** Reads the user at the other end. */
  readonly userOf?: (descriptor: number) => number | null;
  onRequest(peer: Peer, request: RawRequest): void;
}

/** Listens on the control socket. A connection of another user, or of one that cannot be read, is closed. Gives the function that stops it. */
export function listen({ path, userId, userOf = peerUser, onRequest }: Listener): () => void {
  const listener = Bun.listen<Connection>({
    unix: path,
    socket: {
      open(socket) {
        socket.data = connectionOf(socket);
        // The property is there since Bun has it, and its types do not name it yet.
        const { fd } = socket as unknown as { fd?: number };
        if (fd === undefined || userId === undefined || userOf(fd) !== userId) socket.terminate();
      },
      data(socket, bytes) {
        for (const line of linesOf(socket.data, bytes)) take(socket.data, line, onRequest);
      },
      drain: flush,
      close({ data }) {
        data.isOpen = false;
        for (const act of data.ends.splice(0)) act();
      },
    },
  });
  chmodSync(path, 0o600);
  return () => listener.stop(true);
}

const fresh = { opened: false, closing: false, isOpen: true };

function connectionOf(socket: Bun.Socket<Connection>): Connection {
  const peer: Peer = {
    answer(answer) {
      socket.data.unsent.push(
        new TextEncoder().encode(`${JSON.stringify({ v: daemonProtocol, ...answer })}\n`),
      );
      flush(socket);
      return socket.data.isOpen && socket.data.unsent.length === 0;
    },
    refuse(code, message, hint, details) {
      peer.answer({ error: { code, message, hint, ...(details && { details }) } });
      peer.end();
    },
    end() {
      socket.data.closing = true;
      flush(socket);
    },
    onEnd: (act) => void socket.data.ends.push(act),
  };
  return { peer, readLines: lineReader(), unsent: [], ends: [], ...fresh };
}

/** Sends what the system takes now. The rest is sent when it takes more. */
function flush(socket: Bun.Socket<Connection>): void {
  const { unsent, closing } = socket.data;
  for (let next = unsent[0]; next !== undefined; next = unsent[0]) {
    const sent = socket.write(next);
    if (sent < 0) return;
    if (sent < next.length) {
      unsent[0] = next.subarray(sent);
      return;
    }
    unsent.shift();
  }
  if (closing) socket.end();
}

function linesOf({ peer, readLines, closing }: Connection, bytes: Uint8Array): string[] {
  if (closing) return [];
  try {
    return readLines(bytes);
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    peer.refuse("invalid_request", "A request has at most 128 KiB.", "Send less in one line.");
    return [];
  }
}

function take(connection: Connection, line: string, onRequest: Listener["onRequest"]): void {
  const { peer, closing } = connection;
  if (closing) return;
  const request = parsed(line);
  if (request === null)
    return peer.refuse("invalid_request", "A request is a JSON object on one line.", "Send one.");
  if (!connection.opened && request["v"] !== daemonProtocol)
    return peer.refuse(
      "daemon_protocol_mismatch",
      `The daemon speaks version ${daemonProtocol} of its protocol, and the request version ${String(request["v"])}.`,
      "Use the build of the running daemon, or stop it: `service down`.",
    );
  connection.opened = true;
  onRequest(peer, request);
}

function parsed(line: string): RawRequest | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as RawRequest)
      : null;
  } catch {
    return null;
  }
}
