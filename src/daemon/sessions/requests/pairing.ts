import type { Client } from "../../../client/client.ts";
import type { DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { seatAt, seatsOf, type SeatRow } from "../../../db/journal/journal-sessions.ts";
import type { RawRequest } from "../../socket/listen.ts";
import type { LiveSession } from "../held/live-session.ts";
import { createPairingProofs, type Endpoint } from "./pairing-proofs.ts";
import { neededText, refuseSubagent, RequestRefused, textOf } from "../held/requests.ts";
import { refusedBy } from "./server-refusals.ts";
import type { SessionParts } from "../held/session-parts.ts";

type Answer = Omit<DaemonAnswer, "v">;
type Pairing = OutputOf<"getPairingRequest">;
type Side = Endpoint["side"];

const over = new Set<Pairing["state"]>(["ready", "declined", "cancelled", "expired"]);

/** Makes the part that makes sessions the sides of pairing requests, and proves that their messages arrive there. */
export function createPairing(parts: SessionParts) {
  const { db, options, running } = parts;
  // A daemon that has ended vouches for no session: after a restart a session is selected anew.
  const instance = crypto.randomUUID();
  const proofs = createPairingProofs(parts);

  /** Names this conversation as long as its process, its seat's binding and this daemon last. */
  function bindingOf({ key, boot }: LiveSession, { generation }: SeatRow): string {
    const facts = JSON.stringify([key.harness, key.id, boot, instance, generation]);
    return `sha256:${new Bun.CryptoHasher("sha256").update(facts).digest("hex")}`;
  }

  async function pairing(request: RawRequest): Promise<Answer> {
    refuseSubagent(request);
    const session = await running(request);
    const server = neededText(request, "server");
    const known = options.personAt(server);
    if (known === null) throw loginRequired(server);
    const person = known.clientWith(known.key);
    try {
      return await acted(request, session, server, person);
    } catch (error) {
      throw refusedBy(error);
    }
  }

  async function acted(
    request: RawRequest,
    session: LiveSession,
    server: string,
    person: Client,
  ): Promise<Answer> {
    const action = neededText(request, "pairing_action");
    if (action === "list") {
      const { own: reader, requests } = await listed(person);
      return { server, pairings: requests, person: reader };
    }
    const wanted = textOf(request, "pairing_id");
    if (action === "get") return shown(server, await read(person, wanted));
    if (action !== "select" && action !== "accept") throw unknownAction(action);
    const side = action === "select" ? "initiator" : "recipient";
    const asked =
      wanted === "" && side === "recipient" ? await onlyOne(person) : await read(person, wanted);
    const isReplacing = request["replace"] === true;
    return shown(server, await selected(session, server, person, { asked, side, isReplacing }));
  }

  interface Choice {
    readonly asked: Pairing;
    readonly side: Side;
    readonly isReplacing: boolean;
  }

  /** Selects this session for a side. The recipient's session accepts with it. */
  async function selected(
    session: LiveSession,
    server: string,
    person: Client,
    { asked, side, isReplacing }: Choice,
  ): Promise<Pairing> {
    const seat = seatFor(session, server, asked, side);
    const row = db.read((tx) => seatAt(tx, seat))!;
    const binding = bindingOf(session, row);
    const known = proofs.of(server, asked.id, side);
    if (asked.state === "ready") {
      if (isReplacing) throw closed(asked);
      if (known?.binding !== binding) throw changed(asked);
      return asked;
    }
    const endpoint: Endpoint = {
      server,
      side,
      binding,
      pairing: asked.id,
      generation: asked.generation,
      member_id: seat.member_id,
      key: session.key,
      boot: session.boot,
      seatGeneration: row.generation,
      // A repeat whose first answer was lost goes on with the same secret.
      token: known?.binding === binding ? known.token : newToken(),
    };
    const { request: now, endpoint: made } = await proofs.select(person, endpoint, isReplacing);
    if (side === "initiator") return now;
    const params = { pairing: asked.id };
    const body = { agent_id: seat.member_id, generation: made.generation };
    return proofs.clientOf(endpoint).call("acceptPairingRequest", { params, body });
  }

  /** The session's seat on the request's board: the initiating agent's for that side, any other one for the recipient's. */
  function seatFor(
    { key }: LiveSession,
    server: string,
    { display, initiating_agent_id, id }: Pairing,
    side: Side,
  ): SeatRow {
    const seats = db.read((tx) => seatsOf(tx, key)).filter((one) => one.server === server);
    const board = display?.boards[0]?.name;
    const isInitiating = ({ member_id }: SeatRow) => member_id === initiating_agent_id;
    const seat = seats.find(
      side === "initiator" ? isInitiating : (one) => one.board === board && !isInitiating(one),
    );
    if (seat) return seat;
    throw side === "initiator" ? notItsAgent(display?.agent_name) : noSeat(id, board);
  }

  return { pairing, claimed: proofs.claimed };
}

const shown = (server: string, pairing: Pairing): Answer => {
  const board = pairing.display?.boards[0]?.name;
  return { server, pairing, ...(board !== undefined && { pairing_board: board }) };
};

function read(person: Client, id: string): Promise<Pairing> {
  if (id === "")
    throw new RequestRefused("invalid_request", "`pairing_id` is missing.", "Send it.");
  return person.call("getPairingRequest", { params: { pairing: id } });
}

async function listed(person: Client) {
  const [{ id: own }, { requests }] = await Promise.all([
    person.call("getMe"),
    person.call("listPairingRequests"),
  ]);
  return { own, requests };
}

/** The only request that waits for its recipient. */
async function onlyOne(person: Client): Promise<Pairing> {
  const { own, requests } = await listed(person);
  const waiting = requests.filter(
    ({ recipient_id, state, awaiting }) =>
      recipient_id === own && !over.has(state) && awaiting !== "initiator",
  );
  const [only, ...more] = waiting;
  if (only && more.length === 0) return only;
  const choices = waiting.map(({ id }) => id);
  throw new RequestRefused(
    "invalid_request",
    only ? "Several pairing requests wait for your person." : "No pairing request waits here.",
    only ? `Name one: ${choices.join(", ")}.` : "`service pairing list` lists all of them.",
    { choices },
  );
}

const newToken = (): string =>
  `abp_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;

const loginRequired = (server: string) =>
  new RequestRefused(
    "login_required",
    `This machine has no key for ${server}.`,
    "Its person signs in, in a terminal: `service login URL`.",
  );

const unknownAction = (action: string) =>
  new RequestRefused(
    "invalid_request",
    `A session does not ${action} pairing requests.`,
    "`pairing_action` is list, get, select or accept.",
  );

const changed = ({ id }: Pairing) =>
  new RequestRefused(
    "pairing_changed",
    "The pairing request is ready with another session, or with this one before it was started anew.",
    `\`service pairing show ${id}\` shows it.`,
  );

const closed = ({ state }: Pairing) =>
  new RequestRefused(
    "pairing_closed",
    `The pairing request is ${state}.`,
    "Make another one: `service pairing request @handle WORK`.",
  );

const notItsAgent = (name = "NAME") =>
  new RequestRefused(
    "agent_session_required",
    `This session does not hold the seat of the agent ${name}, for which the request was made.`,
    `Take it: \`service resume ${name}\`.`,
  );

const noSeat = (id: string, board = "NAME") =>
  new RequestRefused(
    "agent_session_required",
    `This session has no seat on the board ${board} that could be paired.`,
    `Take one: \`service join --board ${board}\`. Then: \`service pairing accept ${id} --here\`.`,
  );
