import type { Client } from "../../../client/client.ts";
import type { DaemonAgent } from "../../../client/machine/daemon-wire.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { handoffOf } from "../../../db/journal/deliveries.ts";
import { seatAt, type SessionKey } from "../../../db/journal/journal-sessions.ts";
import type { Message } from "../../servers/reaching.ts";
import type { HeldSeat } from "../held/bundle.ts";
import type { SessionParts } from "../held/session-parts.ts";

/** A session that is a side of a pairing request, with the secret that vouches for it. It is kept in memory alone. */
export interface Endpoint {
  readonly server: string;
  readonly pairing: string;
  readonly side: "initiator" | "recipient";
  readonly member_id: string;
  readonly key: SessionKey;
  readonly boot: string;
  /** The hash that names the conversation to the server. */
  readonly binding: string;
  /** The binding of the seat when it was selected. */
  readonly seatGeneration: number;
  /** The request's generation when it was selected. */
  readonly generation: number;
  readonly token: string;
}

type Made = OutputOf<"createPairingCredential">;

/** Makes the part that keeps endpoints, and reports what their sessions received. */
export function createPairingProofs({ db, options, feeds }: SessionParts) {
  const endpoints = new Map<string, Endpoint>();
  const nameOf = (server: string, pairing: string, side: Endpoint["side"]) =>
    `${server} ${pairing} ${side}`;
  /** The replies that were reported, or are no proof. */
  const settled = new Set<string>();

  const clientOf = ({ server, token }: Endpoint): Client => {
    const known = options.personAt(server);
    if (known === null) throw new Error("the key of the server is gone");
    return known.clientWith(token);
  };

  /** Selects the session of an endpoint, or goes on with it for ten minutes more. */
  async function select(person: Client, endpoint: Endpoint, replace: boolean): Promise<Made> {
    const name = nameOf(endpoint.server, endpoint.pairing, endpoint.side);
    // The secret is kept before it is sent: if the answer is lost, the same one goes on.
    endpoints.set(name, endpoint);
    const { pairing, side, member_id, binding, generation, token } = endpoint;
    const body = {
      request_id: pairing,
      side,
      agent_id: member_id,
      session_binding: binding,
      generation,
      client_token: token,
      ...(replace && { replace }),
    };
    const made = await person.call("createPairingCredential", { body });
    endpoints.set(name, { ...endpoint, generation: made.endpoint.generation });
    return made;
  }

  /** Reports the replies to a paired agent's messages that its session has received. */
  feeds.onConfirmed((key, seat) => {
    for (const endpoint of endpoints.values())
      if (isOf(endpoint, key, { agent: seat.feed.agent, generation: seat.generation }))
        for (const reply of repliesIn(seat))
          report(endpoint, reply).catch((error: unknown) =>
            options.log(`pairing ${endpoint.pairing}: ${String(error)}`),
          );
  });

  /** Reports the replies that a command has shown to the session: the server may have counted them as read before. */
  function claimed(key: SessionKey, agent: DaemonAgent, seqs: readonly number[]): void {
    const row = db.read((tx) => seatAt(tx, agent));
    const seat = { agent, generation: row?.generation ?? 0 };
    const own = [...endpoints.values()].filter((endpoint) => isOf(endpoint, key, seat));
    if (own.length === 0) return;
    shown(agent, seqs)
      .then((messages) => {
        const replies = messages.filter((message) => isReply(message, agent.name));
        return Promise.all(own.flatMap((one) => replies.map((reply) => report(one, reply))));
      })
      .catch((error: unknown) => options.log(`pairing of ${agent.name}: ${String(error)}`));
  }

  /** Messages of a board by their numbers, as the agent reads them. */
  async function shown(agent: DaemonAgent, seqs: readonly number[]): Promise<Message[]> {
    const params = { board: agent.board };
    const pages = seqs.map((seq) =>
      options.clientOf(agent).call("listMessages", { params, query: { after: seq - 1, limit: 1 } }),
    );
    const messages = (await Promise.all(pages)).flatMap((page) => page.messages);
    return messages.filter(({ seq }) => seqs.includes(seq));
  }

  async function report(endpoint: Endpoint, { seq, reply_to_seq }: Message): Promise<void> {
    const { server, pairing, side, member_id, generation, key, boot } = endpoint;
    const name = `${nameOf(server, pairing, side)} ${generation} ${seq}`;
    // What the seat's session received before, or an earlier process of this one, is no proof of what was selected.
    const seat = { server, member_id, generation: endpoint.seatGeneration };
    const handoff = db.read((tx) => handoffOf(tx, seat, { session: key, boot }, seq));
    const known = options.personAt(server);
    if (settled.has(name) || handoff === null || known === null) return;
    settled.add(name);
    // The credential lasts ten minutes, and a reply may take longer.
    const { request } = await select(known.clientWith(known.key), endpoint, false);
    if (request.state !== "verifying") return void settled.delete(name);
    const body = {
      generation,
      ping_seq: reply_to_seq!,
      reply_seq: seq,
      handoff_id: handoff,
      direction:
        side === "initiator"
          ? ("initiator_to_recipient" as const)
          : ("recipient_to_initiator" as const),
    };
    await clientOf(endpoint).call("verifyPairingRoundTrip", { params: { pairing }, body });
  }

  return {
    select,
    claimed,
    clientOf,
    of: (server: string, pairing: string, side: Endpoint["side"]): Endpoint | undefined =>
      endpoints.get(nameOf(server, pairing, side)),
  };
}

const isOf = (
  { server, member_id, key: own, seatGeneration }: Endpoint,
  key: SessionKey,
  { agent, generation }: { readonly agent: DaemonAgent; readonly generation: number },
): boolean =>
  agent.server === server &&
  agent.member_id === member_id &&
  own.harness === key.harness &&
  own.id === key.id &&
  seatGeneration === generation;

/** Direct replies of other agents to the seat's agent that its session has received. The server says whether they prove anything. */
const repliesIn = ({ feed, states }: HeldSeat): Message[] =>
  [...feed.unread.values()].filter(
    (message) => states.get(message.seq) === "confirmed" && isReply(message, feed.recipient.name),
  );

const isReply = ({ from, to, reply_to_seq }: Message, name: string): boolean =>
  from.kind === "agent" && reply_to_seq !== null && to.length === 1 && to[0] === `@${name}`;
