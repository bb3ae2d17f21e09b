import type { DaemonAgent, DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import { bindSeat, seatAt, seatsOf, sessionAt } from "../../../db/journal/journal-sessions.ts";
import type { RawRequest } from "../../socket/listen.ts";
import { agentOf } from "../held/feeds.ts";
import { createJoining } from "./joining.ts";
import { createModes } from "./modes.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";
import { createPairing } from "./pairing.ts";
import { createPlans } from "./plans.ts";
import { createReading } from "./reading.ts";
import { agentIn, processOf, refuseSubagent, RequestRefused, textOf } from "../held/requests.ts";
import { unknownSession } from "./session-answers.ts";
import type { SessionParts } from "../held/session-parts.ts";

type Answer = Omit<DaemonAnswer, "v">;

/** Makes the part that ties sessions to seats: those of this machine, and those that it joins. */
export function createSeats(given: SessionParts) {
  const parts = { ...given, running: runningForCommand(given) };
  const { db, options, feeds, running, leftBy, open } = parts;

  async function bind(request: RawRequest): Promise<Answer> {
    refuseSubagent(request);
    const session = await running(request);
    const agent = agentIn(request);
    if (!options.hasSeat(agent))
      throw new RequestRefused(
        "invalid_request",
        `This machine has no token of ${agent.name} on ${agent.board}.`,
        "Join the board first: `service join`.",
      );
    return bindTo(session, agent, false);
  }

  async function bindTo(
    session: LiveSession,
    agent: DaemonAgent,
    isRenewed: boolean,
  ): Promise<Answer> {
    const before = db.read((tx) => seatAt(tx, agent));
    const renew = () => isRenewed && feeds.renew(agent);
    const replaced = await db
      .write((tx) => bindSeat(tx, agent, session.key, isRenewed))
      .catch((error: unknown) => {
        // The seat has another token all the same. A session that held it goes on with that one.
        renew();
        feeds.follow(session.key);
        throw error;
      });
    renew();
    feeds.follow(session.key);
    if (before?.session != null && before.harness !== null)
      feeds.follow({ harness: before.harness, id: before.session });
    if (before !== null) leftBy(before, session);
    // The command says which mode the seat has.
    session.toldModes.delete(seatKeyOf(agent));
    feeds.report(session.key, session.busy ? "working" : "idle");
    return { ...held(session), ...(replaced && { previous: agentOf(replaced) }) };
  }

  /** The seats of a session, with what is known of them. */
  function held({ key, boot }: LiveSession): Answer {
    const agents = db.read((tx) => seatsOf(tx, key)).map(agentOf);
    const known = feeds.seatsOf(key).map(({ feed }) => feed);
    const seats = agents.map((agent) => {
      const feed = known.find((one) => isSame(one.agent, agent));
      return { ...agent, ...(feed?.connected && { mode: feed.mode, unread: feed.unread.size }) };
    });
    return { boot, agents, seats };
  }

  /** The one open session that a process holds: a server of tools knows no more of it than its parent. */
  function sessionOf(process: ReturnType<typeof processOf>): LiveSession {
    const holds = ({ key }: LiveSession) => {
      const row = db.read((tx) => sessionAt(tx, key));
      return row?.pid === process?.pid && (!row?.start || row.start === process?.start);
    };
    const found = process === null ? [] : open().filter(holds);
    if (found.length === 1) return found[0]!;
    throw new RequestRefused(
      "session_unknown",
      "No session, or more than one, is known to run in that process.",
      "Its session-start hook tells the daemon: set the hooks up with `service init`, then start the session again.",
    );
  }

  const { pairing, claimed } = createPairing(parts);

  return {
    bind,
    async agents(request: RawRequest): Promise<Answer> {
      const isNamed = request["session"] !== undefined;
      const session = isNamed ? await running(request) : sessionOf(processOf(request));
      return { ...held(session), session: nameOf(session) };
    },
    mode: createModes(parts),
    plan: createPlans(parts),
    reading: createReading(parts, claimed),
    pairing,
    ...createJoining(parts, bindTo),
  };
}

const nameOf = ({ key }: LiveSession): string => `${key.harness}:${key.id}`;

/**
 * The open session of a command. One that has ended stays so, unless its harness says that it runs: a process that the session
 * left behind may still run commands.
 */
function runningForCommand({ db, options, running }: SessionParts): SessionParts["running"] {
  return async (request) => {
    const key = { harness: textOf(request, "harness"), id: textOf(request, "session") };
    const asked = options.harnesses.find(({ profile }) => profile.harness === key.harness);
    const row = db.read((tx) => sessionAt(tx, key));
    if (row?.open === 0 && asked?.check === undefined) throw unknownSession(key);
    return running(request);
  };
}

const isSame = (one: DaemonAgent, other: DaemonAgent): boolean =>
  one.server === other.server && one.member_id === other.member_id;
