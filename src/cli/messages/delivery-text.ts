import { cutText } from "../../agent-text/board-text.ts";
import { commands, type Typed } from "../../agent-text/directions.ts";
import { messageText } from "../../agent-text/message-text.ts";
import type { AgentReader } from "../../agent-text/message-hints.ts";
import { ownAsksIn, type OwnAsks } from "../../agent-text/own-asks.ts";
import { when } from "../../agent-text/time-text.ts";
import type { Agent, AgentFlags } from "../acting/acting.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Cli } from "../frame/cli.ts";
import { typedWith } from "../frame/suggest.ts";
import type { Message } from "./message-types.ts";

/** An agent that reads messages in this run. With several seats in its session every command names the board. */
export function readerOf(
  cli: Cli,
  { seat, board }: Agent,
  flags: AgentFlags,
  ownAsks?: OwnAsks,
): AgentReader {
  const several = (cli.session?.seats.length ?? 0) > 1;
  const { as } = flags;
  return {
    to: commands(typedWith(cli, { as, board: several ? board : flags.board })),
    when,
    now: cli.clock.now(),
    ...(several && { seat: seat.name }),
    ...(ownAsks && { ownAsks }),
  };
}

/** How many bytes of one message an inbox shows. A longer one would fill a model's context before it was asked for. */
const mostShownBytes = 8_000;

/** A message as an inbox shows it: whole, or its beginning with the command that shows the whole. */
export function inboxText(message: Message, reader: AgentReader, typed: Typed): string {
  const whole = messageText(message, reader);
  return Buffer.byteLength(whole) <= mostShownBytes
    ? whole
    : cutText(message, { ...reader, typed }, "received", mostShownBytes);
}

/** The agent's own asks that some messages answer. */
export function answeredAsks(
  cli: Cli,
  { server, seat }: Agent,
  messages: readonly Message[],
): Promise<OwnAsks> {
  const api = quietApi(cli, server, seat.token);
  const reader = {
    message: (message: string) => api.call("getMessage", { params: { message } }),
    task: (board: string, task: string) => api.call("getTask", { params: { board, task } }),
  };
  return ownAsksIn(reader, seat.name, messages);
}
