import { connect } from "node:net";
import type { ErrorBody } from "../../src/contract/refusal.ts";
import { refusalOf, type World } from "./servers/server-in-process.ts";

/** An answer, read whole. */
export interface Heard {
  readonly status: number;
  /** The error's code; null when it is none. */
  readonly code: string | null;
  /** Status and code in one word: `404 board_not_found`, or `200`. */
  readonly verdict: string;
  readonly text: string;
  readonly headers: Record<string, string>;
}

export interface Asking {
  readonly token?: string;
  /** A value is sent as JSON, a text or bytes as they are, and a blob without a word on what it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends any request at all, such as `POST /v1/boards`, and hears its answer to the end. A stream is left at once. */
export async function ask(
  world: Pick<World, "url" | "handle">,
  line: string,
  asking: Asking = {},
): Promise<Heard> {
  const [method = "", path = ""] = line.split(" ");
  const { token, body, headers } = asking;
  const response = await world.handle(
    new Request(world.url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined &&
          !(body instanceof Blob) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: bytesOf(body) }),
    }),
  );
  return heard(response);
}

function bytesOf(body: unknown): BodyInit {
  const asItIs =
    typeof body === "string" ||
    body instanceof Uint8Array ||
    body instanceof ReadableStream ||
    body instanceof Blob;
  return asItIs ? (body as BodyInit) : JSON.stringify(body);
}

async function heard(response: Response): Promise<Heard> {
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  const streams = headers["content-type"]?.startsWith("text/event-stream");
  if (streams) await response.body?.cancel();
  const text = streams ? "" : await response.text();
  const code = status >= 400 && text ? codeIn(text) : null;
  return { status, code, verdict: code ? `${status} ${code}` : String(status), text, headers };
}

/** The code of an error. Throws when the error does not have the one shape. */
export function codeIn(text: string): string {
  const { error, ...rest } = JSON.parse(text) as { error: Record<string, unknown> };
  const { code, message, hint, next, details, ...more } = error;
  const said = [code, message, hint].every((part) => typeof part === "string" && part !== "");
  const whole = [next, details].every((part) => part === undefined || typeof part === "object");
  if (!said || !whole || Object.keys({ ...rest, ...more }).length > 0)
    throw new Error(`an error of another shape: ${text}`);
  return code as string;
}

/** Status and code of an expected refusal in one word: `403 not_on_board`. Throws if there is none. */
export async function verdictOf(attempt: Promise<unknown>): Promise<string> {
  const { status, code } = await refusalOf(attempt);
  return `${status} ${code}`;
}

/** Everything that is stored, table by table, once what is due was written. */
export async function stored(world: World): Promise<Record<string, unknown[]>> {
  await world.db.write(() => null);
  return world.db.read((tx) => {
    const tables = tx.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
    return Object.fromEntries(tables.map(({ name }) => [name, tx.all(`SELECT * FROM ${name}`)]));
  });
}

/** What a request that was sent came to, in one word: `202`, or `403 not_on_board`. */
export async function cameTo(
  sent: Promise<{ readonly status: number; readonly data: unknown }>,
): Promise<string> {
  const { status, data } = await sent;
  return status < 400 ? String(status) : `${status} ${(data as ErrorBody).error.code}`;
}

/** The first line of what a port of this machine answers to bytes that no client would send. */
export const firstLine = (port: number, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.once("error", reject);
    socket.once("data", (bytes) => {
      resolve(bytes.toString().split("\r\n")[0]!);
      socket.destroy();
    });
  });
