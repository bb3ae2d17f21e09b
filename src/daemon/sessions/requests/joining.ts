import { Unreachable, type Client } from "../../../client/client.ts";
import type { DaemonAgent, DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { seatsOf, type SessionKey } from "../../../db/journal/journal-sessions.ts";
import { createDelegations } from "../../servers/delegations.ts";
import type { RawRequest } from "../../socket/listen.ts";
import { agentOf } from "../held/feeds.ts";
import type { LiveSession } from "../held/live-session.ts";
import { neededText, refuseSubagent, RequestRefused, textOf } from "../held/requests.ts";
import type { SessionParts } from "../held/session-parts.ts";
import { refusedBy } from "./server-refusals.ts";

type Answer = Omit<DaemonAnswer, "v">;

/** Gives a seat to a session. `isRenewed` says that its token is another one now. */
type Bind = (session: LiveSession, agent: DaemonAgent, isRenewed: boolean) => Promise<Answer>;

/** How long a server may take for one of these requests. */
const answerMs = 30_000;
/** How often a creation is sent whose answer was lost. */
const creationTries = 3;
const boardsOnPage = 50;

/** Makes the part that gets sessions onto boards, with the machine's delegations. No token leaves it by the socket. */
export function createJoining({ db, options, running }: SessionParts, bindTo: Bind) {
  const delegations = createDelegations(options.personAt);
  const inTurn = turnTaker();
  const nameOf = ({ harness, id }: SessionKey) => `${harness}:${id}`;

  /** Runs an act that ends when the server has not answered in time. */
  async function within<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const cancel = options.clock.after(answerMs, () =>
      late.abort(new Unreachable("it took too long")),
    );
    try {
      return await act(late.signal);
    } finally {
      cancel();
    }
  }

  /** Keeps the seat that a server gave, and then binds the session to it. */
  async function take(
    session: LiveSession,
    server: string,
    { agent, token, board, reused }: OutputOf<"join">,
  ): Promise<Answer> {
    const joined = { server, board: board.name, name: agent.name, member_id: agent.id };
    options.saveSeat({ ...joined, token });
    const bound = await bindTo(session, joined, reused === true);
    const known = { joined, board, member: agent, ...(reused && { reused: true }) };
    return { ...bound, ...known };
  }

  async function boards(request: RawRequest): Promise<Answer> {
    refuseSubagent(request);
    const { key } = await running(request);
    const held = db.read((tx) => seatsOf(tx, key));
    const [own = "", ...others] = new Set(held.map((seat) => seat.server));
    // Without a word of it, the server of the session's seats is meant.
    const server =
      textOf(request, "server") || (others.length === 0 && own) || neededText(request, "server");
    const after = textOf(request, "after");
    const query = {
      form: "short" as const,
      limit: boardsOnPage,
      lifecycle: lifecycleIn(request),
      ...(after !== "" && { after }),
    };
    const list = (client: Client) =>
      within((signal) => client.call("listBoards", { query }, { signal }));
    const page = await delegations.act(server, false, list).catch(refused);
    const seats = held.filter((seat) => seat.server === server);
    const listed = page.boards.map((board) => {
      const seat = seats.find((one) => one.board === board.name);
      return { ...board, ...(seat && { seat: agentOf(seat) }) };
    });
    return { server, boards: listed, next: page.next ?? null };
  }

  async function join(request: RawRequest): Promise<Answer> {
    refuseSubagent(request);
    const session = await running(request);
    const { server, board, name } = wantedSeat(request);
    const role = textOf(request, "role");
    const { harness } = session.key;
    const body = {
      board,
      harness,
      session: nameOf(session.key),
      ...(role !== "" && { role }),
      ...(name !== "" && { name }),
    };
    // The answer to a second join would end the token of the first one, which may not be saved yet.
    return inTurn(`${server} ${nameOf(session.key)} ${board}`, async () => {
      const ask = (client: Client) => within((signal) => client.call("join", { body }, { signal }));
      const joined = await delegations.act(server, false, ask).catch(refused);
      return take(session, server, joined);
    });
  }

  async function createBoard(request: RawRequest): Promise<Answer> {
    refuseSubagent(request);
    if (textOf(request, "session") === "") throw sessionRequired();
    const session = await running(request);
    const server = neededText(request, "server");
    const idempotencyKey = neededText(request, "idempotency_key");
    const [role, name] = [textOf(request, "role"), textOf(request, "agent_name")];
    const body = {
      ...(request["create"] as object | undefined),
      session: nameOf(session.key),
      harness: session.key.harness,
      ...(role !== "" && { role }),
      ...(name !== "" && { agent_name: name }),
    };
    return inTurn(`${server} ${nameOf(session.key)}`, async () => {
      const make = (client: Client) =>
        sentUntilAnswered(() =>
          within((signal) =>
            client.call("createDelegatedBoard", { body }, { signal, idempotencyKey }),
          ),
        );
      const made = await delegations.act(server, true, make).catch(refused);
      return take(session, server, made);
    });
  }

  return { boards, join, createBoard };
}

function refused(error: unknown): never {
  throw refusedBy(error);
}

/** Sends again what may be sent twice, while no answer comes. */
async function sentUntilAnswered<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unreachable) || tries === creationTries) throw error;
    }
}

/** Runs acts of the same name one after another. */
function turnTaker() {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn<T>(name: string, act: () => Promise<T>): Promise<T> {
    const done = (last.get(name) ?? Promise.resolve()).then(act, act);
    last.set(name, done);
    try {
      return await done;
    } finally {
      if (last.get(name) === done) last.delete(name);
    }
  };
}

function wantedSeat(request: RawRequest): { server: string; board: string; name: string } {
  const { server, board, name = "" } = (request["agent"] ?? {}) as Record<string, unknown>;
  if (isName(server) && isName(board) && typeof name === "string") return { server, board, name };
  throw new RequestRefused(
    "invalid_request",
    "`agent` needs a server and a board.",
    "Send both, and the wanted name or none.",
  );
}

const isName = (value: unknown): value is string => typeof value === "string" && value !== "";

function lifecycleIn(request: RawRequest): "active" | "archived" | "all" {
  const lifecycle = textOf(request, "lifecycle");
  if (lifecycle === "archived" || lifecycle === "all") return lifecycle;
  return "active";
}

const sessionRequired = () =>
  new RequestRefused(
    "agent_session_required",
    "Only a session of an agent makes a board this way.",
    "In a terminal a person makes one: `service board new NAME`.",
  );
