import type { BoardReader } from "../../../agent-text/board-text.ts";
import { commands } from "../../../agent-text/directions.ts";
import { isMessage, isSeq } from "../../../agent-text/shapes.ts";
import { answersAskOf, ownAsksIn, type OwnAsks } from "../../../agent-text/own-asks.ts";
import { when } from "../../../agent-text/time-text.ts";
import type { DaemonAgent } from "../../../client/machine/daemon-wire.ts";
import { chosenFor, handedOf, type HeldSeat, type Occasion } from "../held/bundle.ts";
import { bundleOf, type Bundle, type BundleFor } from "./bundle-text.ts";
import type { DaemonOptions } from "../held/daemon-options.ts";
import type { Feeds } from "../held/feeds.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";
import { placeOf } from "./places.ts";
import { changedModes } from "./told-modes.ts";

/** Writes what sessions are handed. Every function runs within the work of the session that it gets. */
export interface Texts {
  /** The text of a new handoff, with reminders before its messages, or null if there is nothing to hand. */
  write(
    id: string,
    session: LiveSession,
    occasion: Occasion,
    bytes: number,
    reminders: string | null,
  ): Promise<Bundle | null>;
  /** The text of a handoff that is given again, without what was read elsewhere meanwhile. */
  writeAgain(
    id: string,
    session: LiveSession,
    seqsOf: (agent: DaemonAgent) => ReadonlySet<number>,
  ): Promise<Bundle | null>;
}

/** How long a text waits for what the server says about answered asks, and about how many it asks. */
const askMs = 1_500;
const mostAsks = 20;

/** Makes the part that writes texts. `wakeBytesOf` is the most bytes of a text that wakes a session. */
export function createTexts(
  { clock, clientOf, typed }: DaemonOptions,
  feeds: Feeds,
  wakeBytesOf: (session: LiveSession) => number,
): Texts {
  /** The agent's own asks that the messages of its seat answer. */
  async function ownAsksOf(seat: HeldSeat, choose: Choose): Promise<OwnAsks> {
    const { agent, recipient } = seat.feed;
    const answers = choose(seat)
      .filter((message) => answersAskOf(recipient.name, message))
      .slice(0, mostAsks);
    if (answers.length === 0) return new Map();
    const ended = new AbortController();
    const cancel = clock.after(askMs, () => ended.abort());
    const options = { signal: ended.signal };
    const reader = {
      message: async (message: string) => {
        const status = await clientOf(agent).call("getMessage", { params: { message } }, options);
        if (!isMessage(status.message)) throw new Error("this is no message");
        return status;
      },
      task: async (board: string, id: string) => {
        const task = await clientOf(agent).call(
          "getTask",
          { params: { board, task: id } },
          options,
        );
        if (!isSeq(task.blocked_count)) throw new Error("this is no task");
        return task;
      },
    };
    return ownAsksIn(reader, recipient.name, answers).finally(cancel);
  }

  async function written(
    id: string,
    session: LiveSession,
    occasion: Occasion,
    bytes: number,
    choose: Choose,
    /** A text that is given again says nothing that it did not say before. So it is no longer than it was. */
    isFirst: boolean,
    reminders: string | null = null,
  ): Promise<Bundle | null> {
    const read = feeds
      .seatsOf(session.key)
      .map(async (seat) => [seatKeyOf(seat.feed.agent), await ownAsksOf(seat, choose)] as const);
    const asks = new Map(await Promise.all(read));
    const seats = feeds.seatsOf(session.key);
    const several = seats.length > 1;
    const readerOf = ({ feed: { agent } }: HeldSeat): BoardReader => {
      const { typed: here } = placeOf(agent, seats, typed);
      return {
        to: commands(here),
        typed: here,
        when,
        ...(isFirst && { now: clock.now() }),
        ...(several && { seat: agent.name }),
        ownAsks: asks.get(seatKeyOf(agent)) ?? new Map(),
      };
    };
    const modes = isFirst && occasion !== "mid_turn" ? changedModes(session, seats) : [];
    const preface = [...(reminders === null ? [] : [reminders]), ...modes];
    const first = session.texts % Math.max(1, seats.length);
    return bundleOf([...seats.slice(first), ...seats.slice(0, first)], {
      id,
      occasion,
      bytes,
      wakeBytes: wakeBytesOf(session),
      preface,
      choose,
      readerOf,
    });
  }

  return {
    write(id, session, occasion, bytes, reminders) {
      const choose: Choose = (seat) => {
        const chosen = chosenFor(occasion, seat);
        if (occasion !== "mid_turn") return chosen;
        return chosen.filter((message) => !session.previewed.has(message.id));
      };
      return written(id, session, occasion, bytes, choose, true, reminders);
    },
    writeAgain(id, session, seqsOf) {
      const choose: Choose = (seat) =>
        seat.feed.mode === "off" ? [] : handedOf(seat, seqsOf(seat.feed.agent));
      return written(id, session, "wake", wakeBytesOf(session), choose, false);
    },
  };
}

type Choose = BundleFor["choose"];
