import { ApiError } from "../../client/client.ts";
import type { Seat } from "../../client/machine/seats.ts";
import { bundled } from "../../agent-text/message-element.ts";
import { agentIn, flagsOfSeat, type Agent } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { typedWith } from "../frame/suggest.ts";
import { readSeat, type SeatReading } from "../local-daemon/read-seat.ts";
import { counted } from "../terminal/table.ts";
import { answeredAsks, inboxText, readerOf } from "./delivery-text.ts";
import { header } from "./message-text.ts";
import { readInbox, type Look, type Shown } from "./read-inbox.ts";

interface Reader {
  readonly agent: Agent;
  readonly reading: SeatReading;
}
type Read = Reader & { readonly inbox: Shown };

/**
 * Receives what waits for each seat of a session. A wait ends with the first seat that gets a message. A seat whose server
 * refuses it is counted, and the others are shown.
 */
export async function inboxOfSeats(cli: Cli, seats: readonly Seat[], look: Look): Promise<Answer> {
  const readers = await Promise.all(
    seats.map(async (seat) => ({
      agent: agentIn(cli, seat),
      reading: await readSeat(cli, seat),
    })),
  );
  try {
    return await shownOf(cli, readers, look);
  } finally {
    for (const { reading } of readers) reading.close();
  }
}

async function shownOf(cli: Cli, readers: readonly Reader[], look: Look): Promise<Answer> {
  const { read, unavailable } = await readAll(cli, readers, look);
  const acknowledged = await Promise.all(read.map((one) => acknowledge(one, look.peek)));
  const unacknowledged = acknowledged.filter((done) => !done).length;
  const parts = await Promise.all(read.map((one, at) => partOf(cli, one, acknowledged[at]!)));
  const bundles = parts.flatMap(({ bundle }) => (bundle === null ? [] : [bundle]));
  const texts = parts.flatMap(({ text }) => (text === null ? [] : [text]));
  return {
    json: {
      seats: parts.map(({ json }) => json),
      unavailable,
      ...(unacknowledged > 0 && { unacknowledged }),
      bundle: bundles.length === 0 ? null : bundles.join("\n\n"),
    },
    text: [
      ...(texts.length > 0 ? texts : ["Nothing new on your boards."]),
      ...(unavailable > 0 ? [`${counted(unavailable, "seat", "seats")} could not be read.`] : []),
      ...(unacknowledged > 0
        ? [
            `${counted(unacknowledged, "seat", "seats")} could not be acknowledged: these messages come again.`,
          ]
        : []),
    ].join("\n\n"),
  };
}

/** Reads every seat, before any of them is acknowledged. */
async function readAll(cli: Cli, readers: readonly Reader[], look: Look) {
  const over = new AbortController();
  const isSome = (inbox: Shown) => inbox.messages.length > 0;
  const outcomes = await Promise.allSettled(
    readers.map(async (reader): Promise<Read> => {
      const { agent, reading } = reader;
      const now = await readInbox(cli, agent, reading, { ...look, seconds: 0 });
      if (isSome(now)) over.abort();
      if (isSome(now) || look.seconds === 0 || over.signal.aborted)
        return { ...reader, inbox: now };
      const waited = readInbox(cli, agent, reading, { ...look, signal: over.signal });
      const inbox = await waited.catch((error: unknown) => {
        if (over.signal.aborted) return now;
        throw error;
      });
      if (isSome(inbox)) over.abort();
      return { ...reader, inbox };
    }),
  );
  const read = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = outcomes.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  const away = failed.find((error) => !(error instanceof ApiError));
  if (read.length === 0 && away !== undefined) throw away;
  return { read, unavailable: failed.length };
}

/** False if the server did not take it. */
async function acknowledge({ agent, reading, inbox }: Read, peek: boolean): Promise<boolean> {
  if (peek || inbox.up_to === null) return true;
  try {
    await agent.api.call("ackInbox", { body: { up_to: inbox.up_to } });
  } catch {
    return false;
  }
  await reading.claim(inbox.messages.map(({ seq }) => seq));
  return true;
}

async function partOf(cli: Cli, { agent, inbox }: Read, isAcknowledged: boolean) {
  const { seat, board } = agent;
  const { messages, more, up_to } = inbox;
  const flags = flagsOfSeat(cli, seat);
  const typed = typedWith(cli, flags);
  const own = await answeredAsks(cli, agent, messages);
  const reader = { ...readerOf(cli, agent, flags, own), seat: seat.name };
  const wrapped = messages.map((message) => inboxText(message, reader, typed));
  const bundle = bundled(board, wrapped, seat.name);
  return {
    json: {
      server: seat.server,
      board,
      agent: seat.name,
      member_id: seat.member_id,
      messages,
      acked_up_to: isAcknowledged ? up_to : null,
      more,
      wrapped,
    },
    bundle,
    text:
      bundle &&
      [
        header(board, counted(messages.length, "message", "messages")),
        bundle,
        ...(more ? [`More wait: ${typed("inbox")}`] : []),
      ].join("\n"),
  };
}
