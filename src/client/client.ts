import type { ErrorBody, Details, NextStep } from "../contract/refusal.ts";
import type { OperationName, Operations } from "../contract/index.ts";
import type { Input, Output } from "../contract/operation.ts";
import type { StreamEventData, StreamEventName } from "../contract/stream.ts";
import { routes } from "./routes.ts";
import { serverSentEvents } from "./server-sent-events.ts";

/** Which server a client speaks to, as whom and how. */
export interface ClientOptions {
  /** The server's address without a path, such as `http://127.0.0.1:7400`. */
  readonly baseUrl: string;
  /** The credential of every call, if any. */
  readonly token?: string;
  /** Named in `User-Agent: service/<version>`. */
  readonly version?: string;
  /** Sends a request. The platform's own unless a test brings its server along. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

/** What one call may carry beside its input. */
export interface CallOptions {
  /** 1 to 128 characters. A repeat with the same key and input gets the first answer. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** What the server answered: its status, its JSON and its headers. */
export interface Answer<T> {
  readonly status: number;
  readonly data: T;
  readonly headers: Headers;
}

/** An error the server answered with, in the one shape. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly details: Details | undefined;
  readonly next: NextStep | undefined;

  constructor(status: number, { error }: ErrorBody) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.hint = error.hint;
    this.details = error.details;
    this.next = error.next;
  }
}

/** The server could not be reached, or what answered is not this service. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Path, query and body of a call. Parts that an operation does not have may be left out. */
export type Given<N extends OperationName> = Partial<Input<Operations[N]>>;
type OutputOf<N extends OperationName> = Output<Operations[N]>;

/** One event of the stream: its name, and data as the contract types it. */
export type StreamEvent = {
  [N in StreamEventName]: { event: N; data: StreamEventData<N> };
}[StreamEventName];

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
  /** Follows the stream until it ends. Throws `ApiError` and `Unreachable`. */
  stream(options?: CallOptions): AsyncGenerator<StreamEvent>;
}

/** A client of one server with one credential. It follows no redirect, so a credential goes only where it was meant to. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, token, version, fetch: transport = fetch } = options;

  async function request(name: OperationName, input: object, call: CallOptions): Promise<Response> {
    const [method = "", template = ""] = routes[name].split(" ");
    const {
      params = {},
      query = {},
      body,
    } = input as {
      params?: Record<string, string | number>;
      query?: Record<string, unknown>;
      body?: unknown;
    };
    const path = template.replace(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(params[key] ?? ""),
    );
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([key, value]) =>
        value === undefined ? [] : [value].flat().map((one) => [key, String(one)]),
      ) as [string, string][],
    ).toString();
    const headers: Record<string, string> = {};
    if (token) headers["authorization"] = `Bearer ${token}`;
    if (version) headers["user-agent"] = `service/${version}`;
    if (call.idempotencyKey) headers["idempotency-key"] = call.idempotencyKey;
    if (body !== undefined) headers["content-type"] = "application/json";
    try {
      return await transport(
        new Request(`${baseUrl}${path}${search && `?${search}`}`, {
          method,
          headers,
          redirect: "manual",
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(call.signal && { signal: call.signal }),
        }),
      );
    } catch (cause) {
      if (call.signal?.aborted) throw cause;
      throw new Unreachable(`${baseUrl} does not answer`, { cause });
    }
  }

  async function json(response: Response): Promise<unknown> {
    try {
      return await response.json();
    } catch (cause) {
      throw new Unreachable(
        `${baseUrl} answered ${response.status} without JSON: it is not this service`,
        {
          cause,
        },
      );
    }
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
      const response = await request(name, input, call);
      const data = await json(response);
      if (!response.ok) throw asApiError(response.status, data, baseUrl);
      return data as never;
    },
    async *stream(call = {}) {
      const response = await request("stream", {}, call);
      if (!response.ok) throw asApiError(response.status, await json(response), baseUrl);
      if (!response.body) return;
      for await (const { event, data } of serverSentEvents(response.body))
        yield { event, data: JSON.parse(data) } as StreamEvent;
    },
  };
}

function asApiError(status: number, data: unknown, baseUrl: string): Error {
  const body = data as Partial<ErrorBody> | null;
  return typeof body?.error?.code === "string"
    ? new ApiError(status, body as ErrorBody)
    : new Unreachable(`${baseUrl} answered ${status} in a form that is not this service's`);
}
