import type { Client } from "../../client/client.ts";
import { quietApiOf, type Actor } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { readSeat } from "../local-daemon/read-seat.ts";
import type { Message } from "./message-types.ts";
import { understoodMessages } from "./understood.ts";
import { counted } from "../terminal/table.ts";
import { isPassing, untilSome } from "../connection/waiting.ts";

/** The result of a wait for a reply, and the messages that arrived meanwhile. */
export interface Waited {
  readonly outcome: "reply" | "owner_message" | "timeout";
  /** The first message that replies to the one sent. */
  readonly reply: Message | null;
  /** Later messages of the agent's owner, without that reply. */
  readonly owner_messages: readonly Message[];
  readonly timed_out: boolean;
}

/**
 * Waits until somebody replies to a message or the agent's owner says something, at most so many seconds. For an agent it
 * acknowledges the messages that it gives where possible, so that they are not delivered again. A person waits for
 * replies alone, and keeps their read position.
 */
export async function replyTo(
  cli: Cli,
  actor: Actor,
  sent: Message,
  seconds: number,
): Promise<Waited> {
  if (cli.stderr.isTerminal())
    cli.note(`Waiting up to ${counted(seconds, "second", "seconds")} for a reply to #${sent.seq}.`);
  const api = quietApiOf(cli, actor);
  if (actor.kind === "person") return waitForReply(cli, api, actor, sent, seconds);
  // The session does not get the replies meanwhile.
  const reading = await readSeat(cli, actor.seat, { reply_to: sent.seq });
  try {
    const waited = await waitForReply(cli, api, actor, sent, seconds);
    const { reply, owner_messages } = waited;
    const shown = reply ? [...owner_messages, reply] : owner_messages;
    await reading.claim(shown.map(({ seq }) => seq));
    // The messages are shown even if they cannot be acknowledged; then they are delivered once more.
    if (shown.length > 0 && !reading.held) await acknowledge(api, shown).catch(() => {});
    return waited;
  } finally {
    reading.close();
  }
}

async function waitForReply(
  { clock }: Cli,
  api: Client,
  { kind, server }: Actor,
  sent: Message,
  seconds: number,
): Promise<Waited> {
  const params = { message: sent.id };
  const understood = (messages: Message[]) => understoodMessages(server.url, messages);
  const replies = lookout(
    sent.seq,
    async (query, signal) =>
      understood((await api.call("listReplies", { params, query }, { signal })).replies),
    ({ reply_to }) => reply_to === sent.id,
  );
  const owner = lookout(
    sent.seq,
    async (query, signal) =>
      understood((await api.call("getInbox", { query }, { signal })).messages),
    ({ sender, quiet }) => sender === "owner" && !quiet,
  );
  const over = new AbortController();
  const sources = kind === "agent" ? [replies, owner] : [replies];
  await Promise.race(
    sources.map(({ look }) =>
      untilSome(clock, seconds, (wait) => look(wait, over.signal), over.signal).catch(nothing),
    ),
  );
  over.abort();
  await Promise.all(sources.map(({ look }) => look(0, clock.timeout(5_000)).catch(nothing)));
  return outcomeOf(replies.found[0] ?? null, owner.found);
}

interface Query {
  readonly after: number;
  readonly wait: number;
}

/** Collects the wanted messages after a position. `look` gives null while there are none. */
function lookout(
  from: number,
  page: (query: Query, signal: AbortSignal) => Promise<Message[]>,
  wanted: (message: Message) => boolean,
) {
  const found: Message[] = [];
  let after = from;
  return {
    found,
    async look(wait: number, signal: AbortSignal): Promise<Message[] | null> {
      const messages = await page({ after, wait }, signal);
      // Another look may have found something meanwhile.
      found.push(...messages.filter((one) => one.seq > after && wanted(one)));
      after = Math.max(after, messages.at(-1)?.seq ?? 0);
      return found.length ? found : null;
    },
  };
}

/** Treats a server that cannot be asked as one without replies, because an error would make the sent message look unsent. */
function nothing(error: unknown): null {
  if (isPassing(error) || (error as Error).name === "TimeoutError") return null;
  throw error;
}

function outcomeOf(reply: Message | null, fromOwner: readonly Message[]): Waited {
  const owner_messages = fromOwner.filter(({ id }) => id !== reply?.id);
  const outcome = owner_messages.length ? "owner_message" : reply ? "reply" : "timeout";
  return { outcome, reply, owner_messages, timed_out: outcome === "timeout" };
}

/** Acknowledges the shown messages up to the first one that still waits. */
async function acknowledge(api: Client, shown: readonly Message[]): Promise<void> {
  const ids = new Set(shown.map(({ id }) => id));
  const { messages } = await api.call("getInbox");
  const firstOther = messages.findIndex(({ id }) => !ids.has(id));
  const last = messages.slice(0, firstOther < 0 ? messages.length : firstOther).at(-1);
  if (last) await api.call("ackInbox", { body: { up_to: last.seq } });
}
