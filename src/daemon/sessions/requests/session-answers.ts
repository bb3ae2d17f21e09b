import { deliveryLine } from "../../../agent-text/delivery-rules.ts";
import type { Typed } from "../../../agent-text/directions.ts";
import { notPickedUp, whereItIs } from "../../../agent-text/work-text.ts";
import type { DaemonAgent, DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import { shellWord } from "../../../contract/shell-word.ts";
import type { Db } from "../../../db/engine/database.ts";
import { lostBy, seatsOf, type SessionKey } from "../../../db/journal/journal-sessions.ts";
import type { Clock } from "../../loop/clock.ts";
import type { HeldSeat } from "../held/bundle.ts";
import { agentOf, type Feeds } from "../held/feeds.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";
import { RequestRefused } from "../held/requests.ts";
import { placeOf } from "../handing/places.ts";

interface Given {
  readonly clock: Clock;
  readonly typed: Typed;
}

/** What a session is told at its start: which seats it has, and which it lost, also as a text for its context. */
export async function toldAtStart(
  db: Db,
  session: LiveSession,
  feeds: Feeds,
  given: Given,
): Promise<Pick<DaemonAnswer, "agents" | "mode" | "lost" | "note">> {
  const { key } = session;
  const agents = db.read((tx) => seatsOf(tx, key)).map(agentOf);
  const isTaken = ({ server, board }: DaemonAgent) =>
    agents.some((agent) => agent.server === server && agent.board === board);
  // On a board where the session has another seat by now, taking that one back would cost it this.
  const lost = db
    .read((tx) => lostBy(tx, key))
    .map(agentOf)
    .filter((seat) => !isTaken(seat));
  const note = await noteOfSeats(session, feeds.seatsOf(key), given);
  const lines = [
    ...(note === null ? [] : [note]),
    ...lost.map(
      ({ name, board }) =>
        `Another session has taken the seat of ${name} on the board ${board}. To take it back: ${given.typed(`resume ${shellWord(name)} --board ${shellWord(board)}`)}`,
    ),
  ];
  const [first] = lost;
  const mode = modeOfOnly(session, livingOf(feeds.seatsOf(key)));
  return {
    agents,
    ...(mode && { mode }),
    ...(first && { lost: first }),
    ...(lines.length > 0 && { note: lines.join("\n") }),
  };
}

/** The mode of a session's only seat, if it is known: its stream may not have begun when the note has already said it. */
function modeOfOnly({ toldModes }: LiveSession, [seat, ...others]: readonly HeldSeat[]) {
  if (seat === undefined || others.length > 0) return undefined;
  const { isKnown, mode, agent } = seat.feed;
  return isKnown ? mode : toldModes.get(seatKeyOf(agent));
}

/** The seats that have not ended. */
const livingOf = (seats: readonly HeldSeat[]) => seats.filter(({ feed }) => feed.stopped === null);

/** Who the session is, its delivery mode, and where it finds itself. Without the server, only the first. Null without a seat. */
async function noteOfSeats(
  session: LiveSession,
  held: readonly HeldSeat[],
  { clock, typed }: Given,
): Promise<string | null> {
  const inboxes = new Map(
    await Promise.all(held.map(async (seat) => [seat, await seat.feed.readWork()] as const)),
  );
  // The answer may be that the seat has ended.
  const seats = livingOf(held);
  if (seats.length === 0) return null;
  const several = seats.length > 1;
  const read = seats.map((seat) => {
    const { agent } = seat.feed;
    return { agent, place: placeOf(agent, held, typed), inbox: inboxes.get(seat) ?? null };
  });
  const known = read.flatMap(({ agent, place, inbox }) =>
    inbox ? [{ agent, ...place, ...inbox }] : [],
  );
  for (const { agent, mode } of known) session.toldModes.set(seatKeyOf(agent), mode);
  const names = read.map(({ agent, place }) => `${agent.name} on the board ${place.board}`);
  return [
    `You are ${names.join(", ")}. Messages from there come to you by themselves.`,
    ...known.map(({ board, mode }) =>
      several ? `${board}: ${deliveryLine(mode)}` : deliveryLine(mode),
    ),
    ...whereItIs(known, clock.now()),
    ...known.flatMap(({ board, work, typed: here }) => notPickedUp(work, here, board) ?? []),
  ].join("\n");
}

/** The refusal of a session that no hook has told of. */
export const unknownSession = ({ harness, id }: SessionKey) =>
  new RequestRefused(
    "session_unknown",
    `The daemon does not know the session ${harness}:${id}.`,
    "Its session-start hook tells the daemon: set the hooks up with `service init`, then start the session again.",
  );
