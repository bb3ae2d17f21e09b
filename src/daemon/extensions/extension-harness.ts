import type { HarnessProfile } from "../../client/harnesses/profile.ts";
import type { ExtensionLine, ToldState } from "../../client/machine/extension-wire.ts";
import type { Fate, HandedText, Harness, SessionDoor, SessionSigns } from "../harnesses/harness.ts";
import type { Clock } from "../loop/clock.ts";
import { neededText, RequestRefused, textOf } from "../sessions/held/requests.ts";
import type { RawRequest } from "../socket/listen.ts";
import { createConnection, type Connection } from "./connection.ts";

/** How long a command's session may take to be opened: after a restart of the daemon its extension has to come back first. */
const openWaitMs = 4_000;

const fates: readonly unknown[] = ["absent", "waiting", "unanswered", "answered"] satisfies Fate[];
/** The lines about a session. */
const aboutSession: ReadonlySet<unknown> = new Set<ExtensionLine["op"]>([
  ...(["open", "busy", "idle", "failed", "closed"] as const),
  ...(["received", "refused", "answered", "fate", "boundary"] as const),
]);
const states: readonly unknown[] = ["busy", "idle", "failed"] satisfies ToldState[];

/**
 * A harness with an extension of ours inside its processes. Each of them holds one connection, on which it opens the sessions
 * that it has. A session lives as long as that connection.
 */
export function extensionHarness(
  profile: HarnessProfile,
  clock: Clock,
  log: (line: string) => void,
): Harness {
  const { harness } = profile;
  const places = new Map<string, Connection>();
  /** The sessions of these places that the daemon has opened. */
  const ready = new Set<string>();
  /** Opened sessions that commands wait for. */
  const wanted = new Map<string, Set<() => void>>();
  const connections = new Set<Connection>();
  /** The lines of a session, one after another. */
  const works = new Map<string, Promise<void>>();
  /** Null while the daemon does not run: then nothing that is said counts. */
  let signs: SessionSigns | null = null;

  function inTurn(session: string, work: () => Promise<unknown> | void): void {
    const done = (works.get(session) ?? Promise.resolve()).then(work).then(
      () => {},
      (error: unknown) => log(`${harness}:${session}: ${String(error)}`),
    );
    works.set(session, done);
    void done.then(() => {
      if (works.get(session) === done) works.delete(session);
    });
  }

  function placeOf(session: string): Connection {
    const place = places.get(session);
    if (place) return place;
    throw new Error("no extension holds the session");
  }

  /** Makes a connection the only one that speaks for a session. */
  async function open(
    connection: Connection,
    session: string,
    state: unknown,
    door: SessionDoor,
  ): Promise<void> {
    const older = places.get(session);
    places.set(session, connection);
    if (older && older !== connection) {
      older.send({ event: "release", session });
      older.leave(session);
    }
    const { boot } = connection;
    const busy = state === "busy";
    const { agents = [], ...answer } = await door.register({ harness, session, boot, busy });
    const { reopened, lost, note } = answer;
    connection.send({
      event: "opened",
      session,
      agents,
      ...(reopened && { reopened }),
      ...(lost && { lost }),
      ...(note && { note }),
    });
    ready.add(session);
    // A session that another connection held may have been busy there.
    if (older || state === "failed")
      tell(session, busy ? "busy" : state === "failed" ? state : "idle");
    for (const act of wanted.get(session) ?? []) act();
  }

  const tell = (session: string, state: ToldState) => signs?.is(session, state);

  async function close(connection: Connection, session: string, door: SessionDoor) {
    if (places.get(session) !== connection) return;
    places.delete(session);
    ready.delete(session);
    await door.end({ harness, session });
  }

  async function boundary(connection: Connection, line: RawRequest, door: SessionDoor) {
    const { session, ask } = line;
    const { nudge, notice } = await door.boundary({ harness, session });
    const lines = [nudge, notice].filter((one) => one !== undefined).join("\n\n");
    connection.send({ event: "notice", ask: Number(ask), ...(lines && { notice: lines }) });
  }

  /** Takes one line. A line about a session that another connection holds is no evidence. */
  function take(connection: Connection, line: RawRequest, door: SessionDoor): void {
    const { op } = line;
    if (signs === null) return;
    if (op === "log") return log(`${harness}: ${said(line["text"])}`);
    if (op === "goodbye") return ended(connection, door);
    // What a newer extension says besides may be about no session.
    if (!aboutSession.has(op)) return;
    const session = neededText(line, "session");
    if (op === "open") {
      if (textOf(line, "subagent") !== "") {
        const { code, message, hint } = ofSubagent();
        return connection.send({ event: "refused", session, code, message, hint });
      }
      return inTurn(session, () => open(connection, session, line["state"], door));
    }
    const handoff = textOf(line, "handoff_id");
    const isOwn = () => places.get(session) === connection;
    if (op === "received" || op === "refused" || op === "fate") {
      if (isOwn()) for (const of of answersOf(op)) connection.answer(of, session, handoff, line);
      return;
    }
    inTurn(session, () => {
      if (!isOwn()) return;
      if (op === "answered") return signs?.answered(session, handoff);
      if (op === "boundary") return boundary(connection, line, door);
      if (op === "closed") return close(connection, session, door);
      if (states.includes(op)) return tell(session, op as ToldState);
    });
  }

  function ended(connection: Connection, door: SessionDoor): void {
    connections.delete(connection);
    connection.leave();
    for (const [session, place] of places)
      if (place === connection) inTurn(session, () => close(connection, session, door));
  }

  return {
    profile,
    wake: {
      kind: "push",
      joinsTurn: true,
      async hand(session, { id, text, ownersOnly }: HandedText) {
        const { op, reason } = await placeOf(session).ask({
          event: "deliver",
          session,
          handoff_id: id,
          bundle: text,
          delivery_class: ownersOnly ? "owner_only" : "mixed",
        });
        if (op === "refused") throw new Error(`the harness did not take a text: ${said(reason)}`);
      },
      async fate(session, handoff_id) {
        const event = { event: "fate", session, handoff_id } as const;
        const { op, fate, reason } = await placeOf(session).ask(event);
        if (op === "fate" && fates.includes(fate)) return fate as Fate;
        throw new Error(`the harness does not say what became of a text: ${said(reason)}`);
      },
    },
    async check(session) {
      if (ready.has(session)) return;
      const opened = Promise.withResolvers<void>();
      const waiting = wanted.get(session) ?? new Set();
      wanted.set(session, waiting.add(opened.resolve));
      const refuse = () => opened.reject(notOpened(profile, session));
      const cancel = clock.after(openWaitMs, refuse);
      await opened.promise.finally(() => {
        cancel();
        waiting.delete(opened.resolve);
        if (waiting.size === 0) wanted.delete(session);
      });
    },
    start(given) {
      signs = given;
      return () => {
        signs = null;
        places.clear();
        ready.clear();
        for (const connection of connections) {
          connection.send({ event: "stopping" });
          connection.leave();
        }
      };
    },
    connect(peer, hello, door) {
      if (textOf(hello, "subagent") !== "") throw ofSubagent();
      const connection = createConnection(peer, neededText(hello, "boot"), clock);
      connections.add(connection);
      const versions = [hello["harness_version"], hello["extension_version"]].map(said);
      if (versions.some((version) => version !== ""))
        log(
          `${harness}: version ${versions[0] || "unknown"}, extension ${versions[1] || "unknown"}`,
        );
      peer.onEnd(() => ended(connection, door));
      connection.send({ event: "welcome", boot: connection.boot });
      return (line) => take(connection, line, door);
    },
  };
}

/** The questions that a line may answer. */
const answersOf = (op: "received" | "refused" | "fate"): readonly ("deliver" | "fate")[] =>
  op === "received" ? ["deliver"] : op === "fate" ? ["fate"] : ["deliver", "fate"];

/** Words of an extension as a line of the log may hold them. */
const said = (text: unknown): string =>
  String(text ?? "")
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ")
    .slice(0, 300);

const ofSubagent = () =>
  new RequestRefused(
    "subagent_session",
    "A subagent has no seat, so its session is not opened.",
    "Open the session that the person works in.",
  );

const notOpened = ({ harness, name }: HarnessProfile, session: string) =>
  new RequestRefused(
    "session_unknown",
    `The daemon does not know the session ${harness}:${session}.`,
    `${name} tells it by our plugin, which it loads at its start: set it up with \`service init\`, then restart ${name}.`,
  );
