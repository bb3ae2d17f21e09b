import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createClient,
  type CallOptions,
  type Client,
  type Given,
} from "../../../src/client/client.ts";
import { Refusal, type NextStep } from "../../../src/contract/refusal.ts";
import { errorsOf } from "../../../src/contract/documents/implied-errors.ts";
import { operationNamed, type OperationName } from "../../../src/contract/index.ts";
import { openDatabase, type DatabaseOptions } from "../../../src/db/engine/database.ts";
import { identity } from "../../../src/server/first-start.ts";
import { createApp } from "../../../src/server/http/app.ts";
import { insideOf } from "../../../src/server/http/inside.ts";
import { leaksIn } from "../log-leaks.ts";
import { createNumbers } from "../../../src/server/numbers/numbers.ts";
import { createHostCheck } from "../../../src/server/http/hosts.ts";
import { createLimits } from "../../../src/server/http/rate-limits.ts";
import type { Answer } from "../../../src/server/http/kept-answers.ts";
import { fits } from "../../../src/contract/validate.ts";
import { backupsInMemory } from "../backups/backups-in-memory.ts";
import { createByteStore } from "../../../src/server/files/byte-store.ts";
import { sweepBytes } from "../../../src/server/files/sweep-bytes.ts";
import { createHub } from "../../../src/server/live/hub.ts";
import { createLoginCodes } from "../../../src/server/sign-in/login-codes.ts";
import { createIndexing } from "../../../src/server/search/indexing.ts";
import { createSecrets } from "../../../src/server/secrets.ts";
import { createStreams } from "../../../src/server/live/streams.ts";
import type { LogEntry, LogLevel } from "../../../src/server/log.ts";
import { sweep } from "../../../src/server/sweeps.ts";
import { createLoopGuard } from "../../../src/server/live/loop-guard.ts";
import { createInboxStreams } from "../../../src/server/live/inbox-streams.ts";
import { type Db } from "../../../src/db/engine/database.ts";
import { createAttentionVersions } from "../../../src/server/attention/versions.ts";

export interface WorldOptions {
  readonly mode?: "local" | "team";
  readonly url?: string;
  /** Where the database lies; in memory unless said. */
  readonly file?: string;
  readonly database?: DatabaseOptions;
  /** Multiplies the rate limits; they are off unless said. */
  readonly rateScale?: number;
}

/** Where the bytes of this process's worlds lie. Removed when the process ends. */
const root = join(tmpdir(), `service-worlds-${process.pid}`);
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
let worlds = 0;
/** A folder that is made when it is needed. */
const newFolder = () => join(root, String(++worlds));

/**
 * A whole server in this process: its own database, a clock that the test moves, and clients for whoever is in it. It is
 * checked and stopped with the test that starts it, or with the file or `describe` that starts it for all of its tests;
 * never start one in `beforeAll`.
 */
export async function startWorld(options: WorldOptions = {}) {
  const { mode = "local", url = "http://127.0.0.1:7400", file = ":memory:" } = options;
  const clock = { now: new Date("2026-01-01T00:00:00.000Z") };
  const db = openDatabase(file, { clock: () => clock.now, ...options.database });
  const secrets = createSecrets(new Uint8Array(32).fill(7));
  let adminKey = "";
  const { id } = await identity(db, secrets, {
    mode,
    firstHandle: "ana",
    keyName: "laptop",
    saveKey: (token) => (adminKey = token),
  });
  const hub = createHub(db);
  const faults: Record<string, unknown>[] = [];
  /** The other lines of the log, which a team's server writes. */
  const logged: LogEntry[] = [];
  const onFault = ({ message }: Error) => void faults.push({ message });
  const streams = createStreams(db, hub, () => clock.now, onFault);
  const inboxStreams = createInboxStreams(db, () => clock.now, onFault);
  const indexing = createIndexing(db, onFault);
  const complaints: string[] = [];
  const filesFolder = newFolder();
  const bytes = createByteStore(filesFolder);
  const log = Object.assign(
    (entry: LogEntry) => void (entry.level === "error" ? faults : logged).push(entry),
    { takes: (level: LogLevel) => mode === "team" || level === "warn" || level === "error" },
  );
  const backups = backupsInMemory(() => clock.now);
  const numbers = createNumbers({
    db,
    hub,
    streams,
    inboxStreams,
    backups,
    dataFolder: null,
    clock: () => clock.now,
    complain: onFault,
  });
  const inside = insideOf(
    {
      numbers,
      db,
      hub,
      streams,
      inboxStreams,
      indexing,
      bytes,
      limits: createLimits({ mode, scale: options.rateScale ?? 0, clock: () => clock.now }),
      tools: {
        backups,
        numbers,
        secrets,
        loginCodes: createLoginCodes(),
        attentionVersions: createAttentionVersions(),
        loopGuard: createLoopGuard(db, hub),
        server: { id, mode, url, version: "0.0.0-test" },
      },
      log,
      inspect: (name, answer) => complaints.push(...complaintsAbout(name, answer)),
    },
    createHostCheck({ mode, url }),
  );
  const app = createApp(() => inside);
  const guarded = guardLog(db, (complaint) => complaints.push(complaint));
  const handle = (request: Request) => {
    if (!request.headers.has("host")) request.headers.set("host", new URL(url).host);
    return guarded(request, async () => asConnected(request, await app.handle(request)));
  };
  const as = (token?: string): Client =>
    createClient({ baseUrl: url, ...(token && { token }), fetch: handle });
  const admin = as(adminKey);

  /** Redeems an invitation for a key that the server makes. */
  async function connect(
    body: Omit<NonNullable<Given<"connect">["body"]>, "client_token">,
    options: CallOptions = {},
  ) {
    const { key, ...answer } = await as().call("connect", { body }, options);
    if (!("token" in key)) throw new Error("a key without its secret");
    return { ...answer, key };
  }
  /** A person who came in by an invitation. */
  async function person(handle: string) {
    const { invite } = await admin.call("createServerInvite");
    const { person, key } = await connect({ invite, handle, key_name: "machine" });
    return { ...as(key.token), token: key.token, id: person.id, keyId: key.id, handle };
  }
  /** A seat of a person's on a board that they are on. */
  async function seat(
    owner: Client,
    board: string,
    join: { name?: string; role?: string; harness?: string; session?: string } = {},
  ) {
    const { agent, token } = await owner.call("join", {
      body: { board, role: "member", ...join } as never,
    });
    return { ...as(token), token, id: agent.id, name: agent.name };
  }

  /** Throws if an answer left its table, or a fault happened that the test does not know of. */
  function check() {
    if (complaints.length || faults.length)
      throw new Error([...complaints, ...faults.map((fault) => JSON.stringify(fault))].join("\n"));
  }
  let isStopped = false;
  function stop() {
    if (!isStopped) complaints.push(...leaksIn(db, [...logged, ...faults]));
    isStopped = true;
    indexing.stop();
    streams.endAll();
    inboxStreams.endAll();
    hub.close();
    db.close();
  }
  afterAll(() => {
    stop();
    check();
  });

  return {
    clock,
    db,
    hub,
    streams,
    inboxStreams,
    indexing,
    bytes,
    /** Where the bytes of files lie, and beside them those that are arriving. */
    filesFolder,
    secrets,
    faults,
    logged,
    url,
    handle,
    as,
    admin: { ...admin, token: adminKey, handle: "ana" },
    connect,
    person,
    seat,
    sweep: () => sweep(db),
    sweepBytes: () => sweepBytes(db, bytes),
    /** What the clock shows so many seconds from now. */
    at: (seconds = 0) => new Date(clock.now.getTime() + seconds * 1000).toISOString(),
    /** Moves the clock forward. */
    pass: (seconds: number) => void (clock.now = new Date(clock.now.getTime() + seconds * 1000)),
    check,
    stop,
  };
}
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Answers requests, and complains of an event that was added while each of them was refused, repeated or a reading. */
function guardLog({ read, counters }: Db, complain: (complaint: string) => void) {
  function lastPlace() {
    const place = read((tx) => tx.get("SELECT max(place) AS place FROM event"));
    // A test counts the reads of the server alone.
    counters.reads--;
    return place;
  }
  let underWay = 0;
  let answered: string[] = [];
  let isChanged = false;
  let before: unknown;
  return async (request: Request, answer: () => Promise<Response>): Promise<Response> => {
    if (underWay++ === 0) [answered, isChanged, before] = [[], false, lastPlace()];
    try {
      const response = await answer();
      const isKept = response.status >= 400 || response.headers.has("idempotent-replayed");
      isChanged ||= request.method !== "GET" && !isKept;
      answered.push(`${request.method} ${new URL(request.url).pathname} ${response.status}`);
      return response;
    } finally {
      if (--underWay === 0 && !isChanged && !Bun.deepEquals(lastPlace(), before))
        complain(`an event was added by what changes nothing: ${answered.join(", ")}`);
    }
  };
}

/** What is wrong with an answer: it does not fit its schema, or it is a refusal that the operation does not declare. */
function complaintsAbout(name: OperationName, answer: Answer | Refusal): string[] {
  const op = operationNamed(name);
  if (answer instanceof Refusal)
    return errorsOf(op).includes(answer.entry)
      ? []
      : [`${name} answered ${answer.entry}, undeclared`];
  if (answer.status >= 400) return [];
  return fits(op.response, JSON.parse(answer.body))
    ? []
    : [`${name} left its schema: ${answer.body}`];
}

/** The error an operation ends in: its status, code and body. Throws if it succeeds. */
export async function refusalOf(attempt: Promise<unknown>) {
  try {
    await attempt;
  } catch (error) {
    const { status, code, message, hint, next, details } = error as {
      status: number;
      code: string;
      message: string;
      hint: string;
      next?: NextStep;
      details?: Record<string, unknown>;
    };
    if (typeof code !== "string" || typeof status !== "number") throw error;
    return { status, code, message, hint, ...(next && { next }), details };
  }
  throw new Error("it was not refused");
}

/** A stream as a client of a socket has it: one that leaves takes nothing more of it. */
function asConnected({ signal }: Request, response: Response): Response {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const reader = response.body!.getReader();
  signal.addEventListener("abort", () => void reader.cancel(), { once: true });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
