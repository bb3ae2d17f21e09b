import { ApiError, type Client } from "../../client/client.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { Message, Recipient } from "./reaching.ts";
import type { Clock } from "../loop/clock.ts";

/** Which messages wake the agent, as its server holds it. */
type Mode = "focused" | "all" | "humans" | "off";

/** What the daemon knows of a seat from its server. */
export interface SeatFeed {
  readonly agent: DaemonAgent;
  /** The unread messages by number, oldest first. They are kept in memory alone. */
  readonly unread: ReadonlyMap<number, Message>;
  readonly mode: Mode;
  readonly recipient: Recipient;
  readonly connected: boolean;
  /** Why the server gives nothing more to this seat, or null. */
  readonly stopped: string | null;
  acknowledge(upTo: number): Promise<number>;
  report(presence: "working" | "idle" | "no_session"): Promise<void>;
  stop(): void;
}

interface Following {
  readonly agent: DaemonAgent;
  readonly clock: Clock;
  /** A client with the seat's own token, which is read anew each time. */
  clientOf(agent: DaemonAgent): Client;
  /** Called when messages came, or the mode changed. */
  onNews(): void;
  /** Called with the read position that the server holds. */
  onPosition(position: number): void;
  log(line: string): void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Answers after which a seat is over until a session binds it again. */
const endings = new Set(["unauthorized", "board_not_found", "agent_removed", "token_expired"]);

/** Follows a seat's inbox by its stream, and connects again when the stream ends. */
export function followSeat(given: Following): SeatFeed {
  const { agent, clock, clientOf, onNews, onPosition, log } = given;
  const unread = new Map<number, Message>();
  const leaving = new AbortController();
  const state = { mode: "off" as Mode, connected: false, stopped: null as string | null };
  let recipient: Recipient = { id: agent.member_id, name: agent.name };
  const dropUpTo = (position: number) => {
    for (const seq of unread.keys()) if (seq <= position) unread.delete(seq);
    onPosition(position);
  };

  async function follow(): Promise<void> {
    const client = clientOf(agent);
    for await (const { event, data } of client.follow("streamInbox", {}, leaving)) {
      if (leaving.signal.aborted) return;
      if (event === "ready") {
        if (data.member_id !== agent.member_id) throw new Error("the token is of another seat");
        state.mode = data.delivery_mode;
        state.connected = true;
        unread.clear();
        dropUpTo(data.cursor);
      } else if (event === "messages") {
        recipient = { ...recipient, name: data.agent };
        for (const one of data.messages) unread.set(one.seq, one);
      } else if (event === "mode") state.mode = data.delivery_mode;
      else if (event === "read") dropUpTo(data.position);
      else if (event === "end") throw new SeatEnded(data.code);
      onNews();
    }
  }

  async function keepFollowing(): Promise<void> {
    for (let pause = firstPauseMs; !leaving.signal.aborted;) {
      await follow().catch((error: unknown) => {
        const code = codeOf(error);
        if (!leaving.signal.aborted) log(`${agent.name} on ${agent.board}: ${code}`);
        if (endings.has(code)) state.stopped = code === "unauthorized" ? code : "board_gone";
      });
      if (state.connected) pause = firstPauseMs;
      state.connected = false;
      if (state.stopped !== null) break;
      await clock.pause(pause * (0.5 + Math.random() / 2), leaving.signal);
      pause = Math.min(pause * 2, longestPauseMs);
    }
  }
  void keepFollowing();

  return {
    agent,
    unread,
    get mode() {
      return state.mode;
    },
    get recipient() {
      return recipient;
    },
    get connected() {
      return state.connected;
    },
    get stopped() {
      return state.stopped;
    },
    async acknowledge(upTo) {
      const answer = await clientOf(agent).call("ackInbox", { body: { up_to: upTo } });
      if (answer.member_id !== agent.member_id) throw new Error("the token is of another seat");
      dropUpTo(answer.cursor);
      return answer.cursor;
    },
    async report(presence) {
      if (state.stopped !== null) return;
      const body = { presence, ...(state.connected && { delivery: state.mode }) };
      try {
        await clientOf(agent).call("setPresence", { body });
      } catch (error) {
        log(`presence of ${agent.name}: ${codeOf(error)}`);
      }
    },
    stop: () => leaving.abort(),
  };
}

class SeatEnded extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof SeatEnded
    ? error.code
    : error instanceof Error
      ? error.message
      : String(error);
