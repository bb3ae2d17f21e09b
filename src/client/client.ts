import { addressOf } from "../contract/address.ts";
import type { ErrorBody } from "../contract/refusal.ts";
import type { OperationName, InputOf, OutputOf } from "../contract/index.ts";
import type { EventDataOf, EventOf, StreamName } from "../contract/streams.ts";
import { answeredJson } from "./answered-json.ts";
import { counted, downloadOf, type ByteSource, type Download, type Progress } from "./bytes.ts";
import { ApiError, retryAfterOf, Unreachable } from "./errors.ts";
import { routes } from "./routes.ts";

export { ApiError, Unreachable } from "./errors.ts";
export type { Download, Progress } from "./bytes.ts";

/** Which server a client speaks to, and with which credential. */
interface ClientOptions {
  /** The server's address without a path, such as `http://127.0.0.1:7400`. */
  readonly baseUrl: string;
  /** The credential of every call, if any. */
  readonly token?: string;
  /** Named in `User-Agent: service/<version>`. */
  readonly version?: string;
  /** Sends a request. The platform's own unless a test brings its server along. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

/** The options of one call. */
export interface CallOptions {
  /** 1 to 128 characters. A repeat with the same key and input gets the first answer. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** The options of a call that moves bytes. */
export interface BytesOptions extends CallOptions {
  readonly onProgress?: Progress;
}

/** What the server answered: its status, its JSON and its headers. */
export interface Answer<T> {
  readonly status: number;
  readonly data: T;
  readonly headers: Headers;
}

/** Path, query and body of a call. Parts that an operation does not have may be left out. */
export type Given<N extends OperationName> = Partial<InputOf<N>>;

/** One event of a stream: its name, data as the contract types it, and its id if it has one. */
export type EventFrom<S extends StreamName> = {
  [E in EventOf<S>]: { event: E; data: EventDataOf<S, E>; id?: string };
}[EventOf<S>];
/** One event of a person's stream. */
export type StreamEvent = EventFrom<"stream">;

/** The options of following a stream. */
export interface FollowOptions extends CallOptions {
  /** The id of the last event that was received on an earlier stream: go on after it. */
  readonly lastEventId?: string;
}

/** One server, seen with one credential. */
export interface Client {
  /** Makes an operation and gives its answer, whatever its status. Throws `Unreachable`. */
  send<N extends OperationName>(
    name: N,
    input?: Given<N>,
    options?: CallOptions,
  ): Promise<Answer<OutputOf<N> | ErrorBody>>;
  /** Makes an operation and gives its result. Throws `ApiError` and `Unreachable`. */
  call<N extends OperationName>(
    name: N,
    input?: Given<N>,
    options?: CallOptions,
  ): Promise<OutputOf<N>>;
  /** Writes a version of a file. The bytes are streamed and never whole in memory. Throws `ApiError` and `Unreachable`. */
  upload(
    input: Given<"putFile">,
    bytes: ByteSource,
    options?: BytesOptions,
  ): Promise<OutputOf<"putFile">>;
  /** Imports a board from the bytes of its archive, as `upload` does. */
  importBoard(
    input: Given<"importBoard">,
    bytes: ByteSource,
    options?: BytesOptions,
  ): Promise<OutputOf<"importBoard">>;
  /** Begins to export a board. Throws `ApiError` and `Unreachable`. */
  exportBoard(
    input: Given<"exportBoard">,
    options?: CallOptions,
  ): Promise<Pick<Download, "size" | "body">>;
  /** Begins to download a version of a file. Throws `ApiError` and `Unreachable`. */
  download(input: Given<"getFileVersion">, options?: BytesOptions): Promise<Download>;
  /** Follows a stream until it ends. Throws `ApiError` and `Unreachable`. */
  follow<S extends StreamName>(
    name: S,
    input?: Given<S>,
    options?: FollowOptions,
  ): AsyncGenerator<EventFrom<S>>;
  /** Follows the person's stream. */
  stream(options?: CallOptions): AsyncGenerator<StreamEvent>;
}

/** A client of one server with one credential. It follows no redirect, so a credential never reaches another server. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, token, version, fetch: transport = fetch } = options;

  async function request(
    name: OperationName,
    input: object,
    call: BytesOptions & FollowOptions,
    bytes?: ByteSource,
    how: RequestInit = {},
  ): Promise<Response> {
    const [method = "", template = ""] = routes[name].split(" ");
    const { body, ...parts } = input as Parameters<typeof addressOf>[1] & { body?: unknown };
    const headers: Record<string, string> = {};
    if (token) headers["authorization"] = `Bearer ${token}`;
    if (version) headers["user-agent"] = `service/${version}`;
    if (call.idempotencyKey) headers["idempotency-key"] = call.idempotencyKey;
    if (call.lastEventId) headers["last-event-id"] = call.lastEventId;
    if (body !== undefined) headers["content-type"] = "application/json";
    if (bytes) {
      headers["content-type"] = "application/octet-stream";
      // No length for bytes that seem empty, so that they are read: the file may be gone, and must not become an empty version.
      if (bytes.size > 0) headers["content-length"] = String(bytes.size);
    }
    try {
      return await transport(
        new Request(`${baseUrl}${addressOf(template, parts)}`, {
          method,
          headers,
          redirect: "manual",
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(bytes && { body: bodyOf(bytes, call.onProgress), duplex: "half" }),
          ...(call.signal && { signal: call.signal }),
          ...how,
        }),
      );
    } catch (cause) {
      if (call.signal?.aborted) throw cause;
      throw new Unreachable(`${baseUrl} does not answer`, { cause });
    }
  }

  const notOurs = ({ status, headers }: Response, how: string, options?: ErrorOptions) => {
    const seconds = retryAfterOf(headers);
    const wait = seconds === null ? "" : `, and asks to wait ${seconds} seconds`;
    return new Unreachable(`${baseUrl} answered ${status} ${how}${wait}`, options);
  };

  const oddForm = "in a form that is not this service's";

  /** The object of an answer. Every answer of this service is one. */
  async function json(response: Response): Promise<object> {
    const answer = await answeredJson(response).catch((cause: unknown) => {
      throw notOurs(response, "without JSON: it is not this service", { cause });
    });
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer;
    throw notOurs(response, oddForm);
  }

  async function accepted(...sent: Parameters<typeof request>): Promise<Response> {
    const response = await request(...sent);
    if (response.ok) return response;
    const answer = (await json(response)) as Partial<ErrorBody>;
    if (typeof answer.error?.code === "string")
      throw new ApiError(response.status, answer as ErrorBody, retryAfterOf(response.headers));
    throw notOurs(response, oddForm);
  }

  async function* follow<S extends StreamName>(
    name: S,
    input: Given<S> = {},
    call: FollowOptions = {},
  ): AsyncGenerator<EventFrom<S>> {
    // Where an answer might be kept, Firefox lets a request wait for an earlier one to the same address: for ever, after a reload.
    const { body } = await accepted(name, input, call, undefined, { cache: "no-store" });
    if (!body) return;
    // Most commands follow nothing, and start sooner without the parser.
    const { serverSentEvents } = await import("./server-sent-events.ts");
    for await (const { data, ...event } of serverSentEvents(body))
      yield { ...event, data: JSON.parse(data) } as EventFrom<S>;
  }

  return {
    async send(name, input = {}, call = {}) {
      const response = await request(name, input, call);
      return {
        status: response.status,
        data: (await json(response)) as never,
        headers: response.headers,
      };
    },
    async call(name, input = {}, call = {}) {
      return (await json(await accepted(name, input, call))) as never;
    },
    async upload(input, bytes, call = {}) {
      return (await json(await accepted("putFile", input, call, bytes))) as never;
    },
    async importBoard(input, bytes, call = {}) {
      return (await json(await accepted("importBoard", input, call, bytes))) as never;
    },
    async exportBoard(input, call = {}) {
      const { headers, body } = await accepted("exportBoard", input, call);
      return { size: Number(headers.get("x-archive-bytes") ?? 0), body: body! };
    },
    async download(input, call = {}) {
      return downloadOf(await accepted("getFileVersion", input, call), call.onProgress);
    },
    follow,
    stream: (call = {}) => follow("stream", {}, call),
  };
}

const bodyOf = (bytes: ByteSource, onProgress: Progress | undefined) =>
  onProgress
    ? counted(bytes.stream(), onProgress)
    : bytes instanceof Blob && bytes.size > 0
      ? bytes
      : bytes.stream();
