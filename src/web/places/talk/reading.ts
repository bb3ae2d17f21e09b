import { signal, type Signal } from "@preact/signals";
import { positionOf } from "../../core/talk/position.ts";
import { talkOf, type Message } from "../../core/talk/talk.ts";

/** What one reader of a board's talk has seen of it here. */
export interface Reading {
  /** Everything up to it has been read. */
  readonly upTo: number;
  /** Where the line above what is new stands: after this place of the log. */
  readonly since: Signal<{ readonly seq: number; readonly at: string | null } | null>;
  isUnread(message: Message): boolean;
  /** Whether it is of use to know that a message was shown. */
  isWanted(seq: number): boolean;
  /** Notes that messages were shown, and moves the position up to where all were. */
  shown(seqs: readonly number[]): void;
  /** Moves the position again, after messages came. */
  moveOn(): void;
  /** The first message that has not been read, or null. `undefined` when it is not held. */
  firstUnread(): Message | null | undefined;
}

const readings = new Map<string, Reading>();

/** The reading of a board's talk in this tab. */
export function readingOf(board: string): Reading {
  const known = readings.get(board);
  if (known) return known;
  const made = openReading(board);
  readings.set(board, made);
  return made;
}

function openReading(board: string): Reading {
  const talk = talkOf(board);
  const position = positionOf(board);
  const seen = new Set<number>();
  const since: Reading["since"] = signal(null);

  const isUnread = ({ seq, sender }: Message) =>
    seq > position.upTo.value && sender !== "self" && !seen.has(seq);

  /** The messages after the position, as far as none is missing. Null if what follows it is not held. */
  function following(): readonly Message[] | null {
    const next = position.upTo.value + 1;
    const stretches = talk.stretches.value;
    if (next > (stretches.at(-1)?.to ?? 0)) return [];
    const stretch = stretches.find(({ from, to }) => from <= next && next <= to);
    if (!stretch) return null;
    return talk.messages.value.filter(({ seq }) => seq >= next && seq <= stretch.to);
  }

  function moveOn(): void {
    const messages = following() ?? [];
    const end = messages.findIndex(isUnread);
    const last = end === -1 ? messages.at(-1) : messages[end - 1];
    if (last) position.moveTo(last.seq);
    const { upTo } = position;
    for (const seq of seen) if (seq <= upTo.value) seen.delete(seq);
  }

  return {
    get upTo() {
      return position.upTo.value;
    },
    since,
    isUnread,
    isWanted: (seq) => seq > position.upTo.value && !seen.has(seq),
    shown(seqs) {
      for (const seq of seqs) seen.add(seq);
      moveOn();
    },
    moveOn,
    firstUnread() {
      const messages = following();
      if (messages === null) return undefined;
      return messages.find(isUnread) ?? null;
    },
  };
}
