import { wakes, type DeliveryMode } from "../../contract/waking.ts";
import { withTimeLimit } from "../loop/time-limit.ts";
import { checkEvent } from "./check-event.ts";
import { createUnread, type Bounds } from "./unread.ts";
import type { Client, EventFrom } from "../../client/client.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { Work } from "../../agent-text/work-text.ts";
import { greatestSeq } from "../../contract/limits.ts";
import { reachingOf, type Message, type Recipient } from "./reaching.ts";
import { codeOf, endingOf, SeatEnded } from "./seat-ending.ts";
import { isModeWord, isWork, knownMode, knownWork } from "../../agent-text/shapes.ts";
import type { Clock } from "../loop/clock.ts";
import { createTroubles } from "../loop/troubles.ts";

type InboxEvent = EventFrom<"streamInbox">;

/** What the daemon knows of a seat from its server. */
export interface SeatFeed {
  readonly agent: DaemonAgent;
  /** The unread messages by number, oldest first. They are kept in memory alone. */
  readonly unread: ReadonlyMap<number, Message>;
  /** Up to this number no unread message is missing here. More than fit into memory are read again later. */
  readonly wholeUpTo: number;
  /** Which messages wake the agent, as its server holds it, or the kept one; `off` until the server has said it. */
  readonly mode: DeliveryMode;
  /** Whether the server has said what it knows of the seat. */
  readonly isKnown: boolean;
  /** What the agent works on, as the server said it last, at `workAt`; null until it has. */
  readonly work: Work | null;
  readonly workAt: number;
  readonly recipient: Recipient;
  /** The server's generation: another one numbers its messages anew. */
  readonly generation: string;
  readonly connected: boolean;
  /** Whether the last stream failed, and none has begun since. */
  readonly failing: boolean;
  /** Why the server gives nothing more to this seat, or null. */
  readonly stopped: string | null;
  /** The mode of a newer server that this build does not know and that counts as `off`, or null. */
  readonly unknownMode: string | null;
  /** Takes a mode that a command has just set. One that is older than the known one changes nothing. */
  tellMode(told: KnownMode): void;
  acknowledge(upTo: number): Promise<number>;
  /** Asks the server what the agent works on and which mode it has. Null if it does not answer soon. */
  readWork(): Promise<{ readonly work: Work; readonly mode: DeliveryMode } | null>;
  report(presence: "working" | "idle" | "no_session"): Promise<void>;
  /** Ends the stream that is open, and opens another at once. */
  reconnect(): void;
  stop(): void;
}

/** A delivery mode with the number of the event that set it. */
interface KnownMode {
  readonly mode: DeliveryMode;
  readonly revision: number;
}

interface Following {
  readonly agent: DaemonAgent;
  /** The mode that the server said last, as long as it says nothing new. */
  readonly kept: KnownMode | null;
  readonly clock: Clock;
  /** A client with the seat's own token, which is read anew each time. */
  clientOf(agent: DaemonAgent): Client;
  /** Called when messages came, or the mode changed. */
  onNews(): void;
  /** Called with the mode that the server holds. */
  onMode(known: KnownMode): void;
  /** Called with the read position that the server holds. */
  onPosition(position: number): void;
  /** Called when a stream begins, with the server's generation and the position. Nothing is read before it resolves. */
  onReady(generation: string, position: number): Promise<void>;
  log(line: string): void;
  /** How much is kept of the unread messages. */
  readonly bounds?: Bounds;
}

/** How long a text for a session waits for what its agent works on. */
const workWaitMs = 1_500;
/** How long a server may take for an answer. */
const acknowledgeMs = 30_000;
const reportMs = 3_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** Follows a seat's inbox by its stream, and connects again when the stream ends. */
export function followSeat(given: Following): SeatFeed {
  const { agent, clock, clientOf, onNews, onMode, onPosition, onReady, log } = given;
  const isWaking = (message: Message) => wakes(state.known.mode, reachingOf(message, recipient));
  const unread = createUnread(isWaking, given.bounds);
  const leaving = new AbortController();
  const troubles = createTroubles(log);
  const [place, ofPresence] = [`${agent.name} on ${agent.board}`, `presence of ${agent.name}`];
  const state = {
    known: given.kept ?? { mode: "off" as DeliveryMode, revision: 0 },
    isKnown: false,
    work: null as Work | null,
    workAt: 0,
    generation: "",
    connected: false,
    failing: false,
    stopped: null as string | null,
    unknownMode: null as string | null,
    again: () => {},
  };
  let recipient: Recipient = { id: agent.member_id, name: agent.name };
  const noteWork = (work: Work) =>
    Object.assign(state, { work: knownWork(work), workAt: clock.elapsed() });
  const dropUpTo = (position: number) => {
    unread.dropUpTo(position);
    onPosition(position);
    if (unread.hasRoom()) state.again();
  };

  function learnMode(data: { delivery_mode: DeliveryMode; delivery_revision: number }): void {
    const { delivery_mode: said, delivery_revision: revision } = data;
    const mode = knownMode(said);
    if (mode !== said && said !== state.unknownMode)
      log(`${place}: this build does not know the delivery mode ${said}, so nothing is handed`);
    useMode({ mode, revision });
    if (mode !== said) state.unknownMode = said;
    onMode(state.known);
  }

  function useMode(known: KnownMode): void {
    // Other messages wake the agent now: some of them may have been left out.
    if (known.mode !== state.known.mode && unread.wholeUpTo() !== Infinity) state.again();
    Object.assign(state, { known, unknownMode: null });
  }

  /** Follows one stream to its end. Resolves when another is to be opened at once. */
  async function follow(): Promise<void> {
    const client = clientOf(agent);
    const ending = new AbortController();
    const end = () => ending.abort();
    leaving.signal.addEventListener("abort", end);
    let isAgain = false;
    state.again = () => {
      isAgain = true;
      end();
    };
    try {
      for await (const one of client.follow("streamInbox", {}, ending)) {
        if (ending.signal.aborted) return;
        checkEvent(agent, one);
        await take(one);
        onNews();
      }
      if (!isAgain) throw new Error("the stream ended");
    } catch (error) {
      if (!isAgain) throw error;
    } finally {
      state.again = () => {};
      leaving.signal.removeEventListener("abort", end);
    }
  }

  async function take({ event, data }: InboxEvent): Promise<void> {
    if (event === "ready") {
      unread.clear();
      await onReady(data.generation, data.cursor);
      learnMode(data);
      troubles.over(place);
      const { generation } = data;
      Object.assign(state, { isKnown: true, connected: true, failing: false, generation });
      noteWork(data.work);
      dropUpTo(data.cursor);
    } else if (event === "messages") {
      recipient = { ...recipient, name: data.agent };
      for (const one of data.messages) unread.add(one);
      if (data.work) noteWork(data.work);
    } else if (event === "mode") {
      // A command may have told of a later one before.
      if (data.delivery_revision >= state.known.revision) learnMode(data);
    } else if (event === "read") dropUpTo(data.position);
    else if (event === "end") throw new SeatEnded(data.code);
  }

  async function keepFollowing(): Promise<void> {
    for (let pause = firstPauseMs; !leaving.signal.aborted;) {
      const isAgain = await follow().then(
        () => true,
        (error: unknown) => {
          if (!leaving.signal.aborted) troubles.say(place, codeOf(error));
          state.stopped ??= endingOf(error);
          return false;
        },
      );
      if (state.connected) pause = firstPauseMs;
      Object.assign(state, { connected: false, failing: !isAgain });
      if (state.stopped !== null) {
        // Nobody can acknowledge its messages any more.
        unread.clear();
        onNews();
        break;
      }
      if (isAgain) continue;
      await clock.pause(pause * (0.5 + Math.random() / 2), leaving.signal);
      pause = Math.min(pause * 2, longestPauseMs);
    }
  }
  void keepFollowing();

  return {
    agent,
    unread: unread.messages,
    get wholeUpTo() {
      return unread.wholeUpTo();
    },
    get mode() {
      return state.known.mode;
    },
    get isKnown() {
      return state.isKnown;
    },
    get work() {
      return state.work;
    },
    get workAt() {
      return state.workAt;
    },
    get recipient() {
      return recipient;
    },
    get generation() {
      return state.generation;
    },
    get connected() {
      return state.connected;
    },
    get failing() {
      return state.failing;
    },
    get stopped() {
      return state.stopped;
    },
    get unknownMode() {
      return state.unknownMode;
    },
    tellMode(told) {
      if (told.revision <= state.known.revision) return;
      useMode(told);
      onNews();
    },
    async acknowledge(upTo) {
      const answer = await withTimeLimit(clock, acknowledgeMs, (signal) =>
        clientOf(agent).call("ackInbox", { body: { up_to: upTo } }, { signal }),
      );
      if (answer.member_id !== agent.member_id) throw new Error("the token is of another seat");
      dropUpTo(answer.cursor);
      return answer.cursor;
    },
    async readWork() {
      if (state.stopped !== null) return null;
      // After the last message there is none, so the answer is short.
      const query = { after: greatestSeq, limit: 1 };
      try {
        const inbox = await withTimeLimit(clock, workWaitMs, (signal) =>
          clientOf(agent).call("getInbox", { query }, { signal }),
        );
        if (inbox.member_id !== agent.member_id) return null;
        if (!isWork(inbox.work) || !isModeWord(inbox.delivery_mode)) return null;
        noteWork(inbox.work);
        return { work: knownWork(inbox.work), mode: knownMode(inbox.delivery_mode) };
      } catch (error) {
        // A replaced token says nothing: the stream begins anew with the next one.
        if (endingOf(error) === "board_gone") state.stopped ??= "board_gone";
        return null;
      }
    },
    async report(presence) {
      if (state.stopped !== null) return;
      const body = { presence, ...(state.connected && { delivery: state.known.mode }) };
      try {
        await withTimeLimit(clock, reportMs, (signal) =>
          clientOf(agent).call("setPresence", { body }, { signal }),
        );
        troubles.over(ofPresence);
      } catch (error) {
        troubles.say(ofPresence, codeOf(error));
      }
    },
    reconnect: () => state.again(),
    stop: () => leaving.abort(),
  };
}
