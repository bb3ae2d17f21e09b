import { createHash } from "node:crypto";
import type { Client } from "../../../src/client/client.ts";
import type { World } from "../servers/server-in-process.ts";
import { makeDocs, personOnDocs, post } from "./docs-board.ts";

/** A secret as the runtime of a session makes it. */
export const newProof = () =>
  `abp_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;

/** The hash that names a conversation. */
export const bindingOf = (session: string) =>
  `sha256:${createHash("sha256").update(session).digest("hex")}`;

export type Side = "initiator" | "recipient";
interface Selecting {
  readonly session?: string;
  readonly generation?: number;
  readonly replace?: boolean;
  readonly proof?: string;
}

/** The body that selects a session for a side of a request. */
export const selection = (
  request_id: string,
  side: Side,
  agent_id: string,
  { session = side, generation = 1, replace, proof = newProof() }: Selecting = {},
) => ({
  request_id,
  side,
  agent_id,
  generation,
  client_token: proof,
  session_binding: bindingOf(session),
  ...(replace !== undefined && { replace }),
});

/** Selects a session for a side, and gives a client with its credential. */
export async function select(
  world: World,
  person: Client,
  request: string,
  side: Side,
  agent: string,
  selecting: Selecting = {},
) {
  const body = selection(request, side, agent, selecting);
  const made = await person.call("createPairingCredential", { body });
  return { ...world.as(body.client_token), token: body.client_token, made };
}

/** Docs, which ana owns, with her agent `scribe`; bo is on it with his agent `scout`. Ana asks bo. */
export async function startPair(world: World) {
  const { admin: ana } = world;
  const docs = await makeDocs(world);
  const scribe = await world.seat(ana, "docs", { name: "scribe", session: "claude-code:1" });
  const bo = await personOnDocs(world, "bo");
  const scout = await world.seat(bo, "docs", { name: "scout", session: "codex:1" });
  const ask = (client: Client = ana, more: { recipient_id?: string; work?: string } = {}) =>
    client.call("createPairingRequest", {
      body: {
        board_id: docs.id,
        recipient_id: bo.id,
        initiating_agent_id: scribe.id,
        work: "Review the draft",
        ...more,
      },
    });
  const params = (pairing: string) => ({ params: { pairing } });
  /** A request of which both sides are selected. */
  async function selected() {
    const { id } = await ask();
    const initiator = await select(world, ana, id, "initiator", scribe.id);
    const recipient = await select(world, bo, id, "recipient", scout.id);
    return { id, initiator, recipient };
  }
  /** The same, accepted. */
  async function accepted() {
    const pair = await selected();
    await pair.recipient.call("acceptPairingRequest", {
      ...params(pair.id),
      body: { agent_id: scout.id, generation: 1 },
    });
    return pair;
  }
  /** A message from one agent to another and its direct reply. */
  async function exchange(from: Client & { name: string }, to: Client & { name: string }) {
    const ping = await post(from, { body: "ping", to: [`@${to.name}`] });
    const reply = await post(to, { body: "pong", reply_to: ping.id });
    return { ping_seq: ping.seq, reply_seq: reply.seq };
  }
  /** What a side tells of its direction. */
  const told = (side: Side, seqs: { ping_seq: number; reply_seq: number }, generation = 1) =>
    ({
      ...seqs,
      generation,
      direction: side === "initiator" ? "initiator_to_recipient" : "recipient_to_initiator",
      handoff_id: `handoff-of-${side}`,
    }) as const;
  const verify = (
    client: Client,
    id: string,
    side: Side,
    seqs: { ping_seq: number; reply_seq: number },
    generation = 1,
  ) => client.call("verifyPairingRoundTrip", { ...params(id), body: told(side, seqs, generation) });
  const read = (client: Client, id: string) => client.call("getPairingRequest", params(id));
  const stateOf = async (client: Client, id: string) => (await read(client, id)).state;
  return {
    world,
    ana,
    bo,
    docs,
    scribe,
    scout,
    params,
    ask,
    selected,
    accepted,
    exchange,
    told,
    verify,
    read,
    stateOf,
  };
}
export type Pair = Awaited<ReturnType<typeof startPair>>;
