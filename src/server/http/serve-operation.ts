import { Refusal, refuse } from "../../contract/refusal.ts";
import { operationNamed, type OperationName } from "../../contract/index.ts";
import type { Operation } from "../../contract/operation.ts";
import { closed } from "../../contract/schema.ts";
import { recordKeyUse } from "../../db/accounts.ts";
import type { Db, ReadTx, Tx } from "../../db/database.ts";
import {
  admit,
  admitKind,
  identify,
  type Caller,
  type Presented,
  type Standing,
} from "../access.ts";
import type { Tools, Topic } from "../handler.ts";
import { handlers, rechecks, waits } from "../handlers.ts";
import type { Hub } from "../hub.ts";
import { jsonOf } from "../rendered.ts";
import type { Streams } from "../streams.ts";
import { afterSeconds, minuteSeconds } from "../time.ts";
import { parseJson, readBody } from "./body.ts";
import { presentedBy } from "./credentials.ts";
import type { Charge } from "./limits.ts";
import { keepingOf, keptFor, runAndKeep, type Answer, type Keeping } from "./kept.ts";
import { jsonHeaders, type Log } from "./problems.ts";
import { openStream } from "./stream.ts";

/** What the listening socket knows of a request. */
export interface Connections {
  /** Keeps the connection of a request that waits from being closed for idleness. */
  keepOpen(request: Request): void;
  /** The address at the connection's other end. Forwarding headers are never read. */
  addressOf(request: Request): string;
}

/** What a server is made of, as the adapter sees it. */
export interface Parts {
  readonly db: Db;
  readonly hub: Hub;
  readonly streams: Streams;
  readonly tools: Tools;
  readonly log: Log;
  readonly charge: Charge;
  /** The connections that requests come by, where there are any. */
  readonly connections?: Connections;
  /** Looks at every answer before it leaves: how tests hold the server to its table. */
  readonly inspect?: (name: OperationName, answer: Answer | Refusal) => void;
}

interface Input {
  readonly params: Record<string, never>;
  readonly query: { wait?: number };
  readonly body: unknown;
}
type Rule = (tx: ReadTx, standing: Standing, input: Input, tools: Tools) => unknown;
interface AnyWait {
  isEmpty(answer: unknown): boolean;
  topics(standing: Standing): readonly Topic[];
}
type AnyRecheck = (tx: ReadTx, standing: Standing, kept: unknown, tools: Tools) => void;

/**
 * Serves one request of an operation. The order is the contract's: credential, kind of credential, schema, and then
 * everything else inside the one transaction that answers.
 */
export async function serveOperation(
  parts: Parts,
  name: OperationName,
  request: Request,
  given: Record<string, string>,
): Promise<Response> {
  const op = operationNamed(name);
  if (op.limit === "join" || op.limit === "connect")
    parts.charge(op.limit, { address: addressOf(parts, request) });
  const presented = presentedBy(request, parts.tools.secrets);
  if (!presented && op.access !== "anyone") throw refuse("unauthorized");
  const ended = presented && recognize(parts, op, presented, request);
  if (op.limit === "posting" && presented)
    parts.charge(op.limit, { address: addressOf(parts, request), credential: presented.digest });
  try {
    return await serveRecognized(parts, name, request, given, presented);
  } catch (error) {
    throw ended && error instanceof Refusal ? ended : error;
  }
}

const addressOf = ({ connections }: Parts, request: Request): string =>
  connections?.addressOf(request) ?? "";

async function serveRecognized(
  parts: Parts,
  name: OperationName,
  request: Request,
  given: Record<string, string>,
  presented: Presented | null,
): Promise<Response> {
  const op = operationNamed(name);
  const bytes = op.method === "GET" ? new Uint8Array() : await readBody(request);
  const input = await inputOf(op, request, given, bytes);
  if (op.shape === "stream") return openStream(parts.streams, presented!, request.signal);
  const keeping = keepingOf(op, request, bytes, presented?.digest);
  const call = { parts, name, op, presented, input, keeping };
  const answer =
    op.shape === "wait"
      ? await waitFor(call, request.signal)
      : op.method === "GET"
        ? parts.db.read((tx) => ruled(tx, call))
        : await parts.db.write((tx) => answerOnce(tx, call));
  parts.inspect?.(name, answer);
  return new Response(answer.body, {
    status: answer.status,
    headers: answer.replayed ? { ...jsonHeaders, "idempotent-replayed": "true" } : jsonHeaders,
  });
}

/**
 * Refuses a credential that does not work, or is not of a kind the operation takes, before anything else is read. Of an
 * ended seat that may be repeating the call that ended it, gives the refusal of everything but that repeat.
 */
export function recognize(
  parts: Parts,
  op: Operation | null,
  presented: Presented,
  request: Request,
): Refusal | null {
  try {
    const caller = parts.db.read((tx) => identify(tx, presented));
    if (op && op.access !== "anyone") admitKind(op, caller.kind);
    noteUse(parts, caller);
    return null;
  } catch (error) {
    const repeats = op?.replayAfterEnd && request.headers.has("idempotency-key");
    if (repeats && error instanceof Refusal && error.entry === "agent_removed") return error;
    throw error;
  }
}

/** Records that a key was used, at most once a minute; a key that ends by idleness lives on from then. */
function noteUse({ db, log }: Parts, { key }: Caller): void {
  const due = db.read(
    ({ now }) => key.last_used_at === null || key.last_used_at <= afterSeconds(now, -minuteSeconds),
  );
  if (!due) return;
  const use = db.write((tx) => {
    const moved =
      key.idle_expiry_seconds === null
        ? key.expires_at
        : afterSeconds(tx.now, key.idle_expiry_seconds);
    recordKeyUse(tx, key.row, moved);
  });
  use.catch((error: Error) => log({ level: "error", message: `key use: ${error.message}` }));
}

/** The checks of what is sent, once something is: a server's first answer does not wait for their compiler. */
let checks: typeof import("./validate.ts") | undefined;

async function inputOf(
  op: Operation,
  request: Request,
  given: Record<string, string>,
  bytes: Uint8Array,
): Promise<Input> {
  const mark = request.url.indexOf("?");
  if (!op.params && !op.query?.required?.length && mark < 0 && bytes.length === 0 && !needsBody(op))
    return { params: {}, query: {}, body: undefined };
  checks ??= await import("./validate.ts");
  const params = checks.paramsOf(op, given);
  const query = checks.queryOf(op, new URLSearchParams(mark < 0 ? "" : request.url.slice(mark)));
  return { params: params as Input["params"], query, body: bodyOf(op, request, bytes, checks) };
}

const needsBody = (op: Operation): boolean => op.body !== undefined && !op.bodyOptional;

function bodyOf(
  op: Operation,
  request: Request,
  bytes: Uint8Array,
  { demand }: typeof import("./validate.ts"),
): unknown {
  if (bytes.length === 0) {
    if (needsBody(op)) throw refuse("invalid_request", { problem: "the body is missing" });
    return undefined;
  }
  const body = parseJson(bytes, request.headers.get("content-type"));
  demand(op.body ?? noBody, body, "the body");
  return body;
}

/** What may stand in the body of an operation that takes none. */
const noBody = closed({});

interface Call {
  readonly parts: Parts;
  readonly name: OperationName;
  readonly op: Operation;
  readonly presented: Presented | null;
  readonly input: Input;
  readonly keeping: Keeping | null;
}

/** A repeat gets the kept answer; anything else is admitted, ruled and kept, all or nothing. */
function answerOnce(tx: Tx, call: Call): Answer {
  const { op, keeping } = call;
  const kept = keeping && keptFor(tx, keeping);
  if (kept) {
    if (!op.replayAfterEnd) admitAgain(tx, call, kept);
    return kept;
  }
  const standing = admit(tx, op, call.presented, call.input.params);
  return runAndKeep(tx, keeping, () => obey(tx, call, standing));
}

function admitAgain(tx: ReadTx, { parts, name, op, presented, input }: Call, kept: Answer): void {
  const standing = admit(tx, op, presented, input.params);
  const recheck = (rechecks as Partial<Record<OperationName, AnyRecheck>>)[name];
  if (recheck && kept.status < 300) recheck(tx, standing, JSON.parse(kept.body), parts.tools);
}

const ruled = (tx: ReadTx, call: Call): Answer =>
  obey(tx, call, admit(tx, call.op, call.presented, call.input.params));

function obey(tx: ReadTx, { parts, name, op, input }: Call, standing: Standing): Answer {
  const result = ruleOf(name)(tx, standing, input, parts.tools);
  return { status: op.success ?? 200, body: jsonOf(result) };
}

const ruleOf = (name: OperationName): Rule => (handlers as unknown as Record<string, Rule>)[name]!;

/** Answers as soon as there is something to answer with, at the latest when the time is up. Each look admits again. */
async function waitFor(call: Call, gone: AbortSignal): Promise<Answer> {
  const { parts, name, op, presented, input } = call;
  const wait = (waits as unknown as Record<string, AnyWait>)[name]!;
  const deadline = performance.now() + (input.query.wait ?? 0) * 1000;
  for (;;) {
    const look = parts.db.read((tx) => {
      const standing = admit(tx, op, presented, input.params);
      const { key } = standing.caller!;
      return {
        result: ruleOf(name)(tx, standing, input, parts.tools),
        topics: [...wait.topics(standing), `key:${key.row}` as const],
        keyEnds:
          key.expires_at === null ? Infinity : Date.parse(key.expires_at) - Date.parse(tx.now),
      };
    });
    const left = deadline - performance.now();
    if (left <= 0 || gone.aborted || parts.hub.closed || !wait.isEmpty(look.result))
      return { status: 200, body: jsonOf(look.result) };
    await parts.hub.wait(look.topics, Math.min(left, look.keyEnds), gone);
  }
}
