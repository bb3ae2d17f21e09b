import { deliveryLine } from "../../../agent-text/delivery-rules.ts";
import type { Typed } from "../../../agent-text/directions.ts";
import { whereItIs } from "../../../agent-text/work-text.ts";
import type { DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import type { Db } from "../../../db/engine/database.ts";
import { lostBy, seatsOf, type SessionKey } from "../../../db/journal/journal-sessions.ts";
import type { Clock } from "../../loop/clock.ts";
import type { HeldSeat } from "../held/bundle.ts";
import { agentOf, type Feeds } from "../held/feeds.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";
import { RequestRefused } from "../held/requests.ts";
import { typedOn } from "../handing/texts.ts";

interface Given {
  readonly clock: Clock;
  readonly typed: Typed;
}

/** What a session is told at its start: which seats it has, or which one it lost, also as a text for its context. */
export async function toldAtStart(
  db: Db,
  session: LiveSession,
  feeds: Feeds,
  given: Given,
): Promise<Pick<DaemonAnswer, "agents" | "lost" | "note">> {
  const { key } = session;
  const agents = db.read((tx) => seatsOf(tx, key)).map(agentOf);
  if (agents.length > 0)
    return { agents, note: await noteOfSeats(session, feeds.seatsOf(key), given) };
  const lost = db.read((tx) => lostBy(tx, key));
  if (lost === null) return { agents };
  const command = given.typed(`resume ${lost.name}`);
  const note = `Another session has taken the seat of ${lost.name}. To take it back: ${command}`;
  return { agents, lost: agentOf(lost), note };
}

/** Who the session is, its delivery mode, and where it finds itself. Without the server, only the first. */
async function noteOfSeats(
  session: LiveSession,
  seats: readonly HeldSeat[],
  { clock, typed }: Given,
): Promise<string> {
  const several = seats.length > 1;
  const read = await Promise.all(
    seats.map(async ({ feed }) => ({ agent: feed.agent, inbox: await feed.readWork() })),
  );
  const known = read.flatMap(({ agent, inbox }) => (inbox ? [{ agent, ...inbox }] : []));
  for (const { agent, mode } of known) session.toldModes.set(seatKeyOf(agent), mode);
  const names = seats.map(({ feed: { agent } }) => `${agent.name} on the board ${agent.board}`);
  const boards = known.map(({ agent: { board }, work }) => ({
    board,
    work,
    typed: several ? typedOn(typed, board) : typed,
  }));
  return [
    `You are ${names.join(", ")}. Messages from there come to you by themselves.`,
    ...known.map(({ agent, mode }) =>
      several ? `${agent.board}: ${deliveryLine(mode)}` : deliveryLine(mode),
    ),
    ...whereItIs(boards, clock.now()),
  ].join("\n");
}

/** The refusal of a session that no hook has told of. */
export const unknownSession = ({ harness, id }: SessionKey) =>
  new RequestRefused(
    "session_unknown",
    `The daemon does not know the session ${harness}:${id}.`,
    "Its session-start hook tells the daemon: set the hooks up with `service init`, then start the session again.",
  );
