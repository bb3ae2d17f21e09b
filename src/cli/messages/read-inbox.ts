import type { OutputOf } from "../../contract/index.ts";
import type { Agent } from "../acting/acting.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { untilSome } from "../connection/waiting.ts";
import type { Cli } from "../frame/cli.ts";
import type { SeatReading } from "../local-daemon/read-seat.ts";
import { understoodInbox } from "./understood.ts";

/** How an inbox is read. */
export interface Look {
  readonly limit: number;
  /** How long to wait for a message; 0 not to wait. */
  readonly seconds: number;
  /** Whether everything stays unread. */
  readonly peek: boolean;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

type Inbox = OutputOf<"getInbox">;

/** What is to be shown of an inbox, and the position up to which it is then acknowledged; null if nothing is. */
export interface Shown extends Inbox {
  readonly up_to: number | null;
}

/**
 * Reads what waits for an agent, without what its session has received. If nothing but that waits, it is acknowledged, and the
 * wait goes on.
 */
export async function readInbox(
  cli: Cli,
  agent: Agent,
  { received }: Pick<SeatReading, "received">,
  look: Look,
): Promise<Shown> {
  const end = cli.clock.elapsed() + look.seconds * 1_000;
  let left = look.seconds;
  let up_to: number | null = null;
  let after: number | undefined;
  for (;;) {
    const found = await waiting(cli, agent, { ...look, seconds: left }, after);
    const inbox = understoodInbox(agent.server.url, found);
    const last = inbox.messages.at(-1)?.seq ?? null;
    const messages = inbox.messages.filter(({ seq }) => !received.has(seq));
    if (last !== null && !look.peek) up_to = last;
    left = Math.max(0, Math.round((end - cli.clock.elapsed()) / 1_000));
    // A server that answers the same again would be asked without an end.
    const isSame = last !== null && last <= (after ?? -1);
    const isOver = isSame || (look.seconds === 0 ? !inbox.more : left === 0);
    if (messages.length > 0 || last === null || isOver) return { ...inbox, messages, up_to };
    if (!look.peek) await agent.api.call("ackInbox", { body: { up_to: last } });
    after = last;
  }
}

/**
 * The waiting messages, or those that are there once one within the seconds wakes the agent. Every look of a wait is one
 * that may wait: only such a look leaves quiet messages where they are.
 */
async function waiting(
  cli: Cli,
  { api, server, seat }: Agent,
  { limit, seconds, signal }: Look,
  after: number | undefined,
): Promise<Inbox> {
  const query = { limit, ...(after !== undefined && { after }) };
  if (seconds === 0) return api.call("getInbox", { query });
  const options = signal ? { signal } : {};
  const first = await api.call("getInbox", { query: { ...query, wait: 1 } }, options);
  if (first.messages.length) return first;
  const quiet = quietApi(cli, server, seat.token);
  const ask = async (wait: number) => {
    if (wait === 0) return null;
    const inbox = await quiet.call("getInbox", { query: { ...query, wait } }, options);
    return inbox.messages.length ? inbox : null;
  };
  return (await untilSome(cli.clock, seconds - 1, ask, signal)) ?? first;
}
