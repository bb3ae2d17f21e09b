import { useEffect, useRef, useState } from "preact/hooks";
import type { Given } from "../../../client/client.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import { boardOf } from "../../core/boards/board.ts";
import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { dayOf, timeOf } from "../../core/screen/time.ts";
import { toast } from "../../core/screen/toasts.ts";
import { followCurrent, useFeedKeys } from "../../parts/messages/feed.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { goesOn, MessageArticle } from "../../parts/messages/message.tsx";
import { Failed, sentenceOf } from "../../parts/problem.tsx";
import { Mark, Name, named } from "../../parts/who.tsx";
import type { Filters } from "./filters.ts";

type Hit = Extract<OutputOf<"searchBoard">["hits"][number], { kind: "message" }>;

/** What the filters let through, so far as it was read. */
interface Found {
  readonly messages: readonly Message[];
  readonly hits: readonly Hit[];
  /** Reads more. Null when that is all. */
  readonly next: (() => Promise<Found>) | null;
}

const pageSize = 50;

async function find(board: string, { q, ...filters }: Filters, from: Found | null): Promise<Found> {
  const params = { board };
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
  const read = async (more: object): Promise<Found> => {
    if (q) {
      const query = { ...chosen, ...more, q, kind: "message", limit: pageSize } as const;
      const page = await api.call("searchBoard", {
        params,
        query: query as Given<"searchBoard">["query"] & { q: string },
      });
      const hits = page.hits.filter((hit) => hit.kind === "message");
      const all = [...(from?.hits ?? []), ...hits];
      const found: Found = { messages: [], hits: all, next: null };
      const { next } = page;
      return { ...found, next: next === null ? null : () => findOn(found, { cursor: next }) };
    }
    const page = await api.call("listMessages", {
      params,
      query: { ...chosen, ...more, newest: true, limit: pageSize },
    });
    const found: Found = {
      messages: [...page.messages, ...(from?.messages ?? [])],
      hits: [],
      next: null,
    };
    const before = page.prev_before;
    return { ...found, next: before === null ? null : () => findOn(found, { before }) };
  };
  const findOn = (found: Found, more: object) => {
    from = found;
    return read(more);
  };
  return read({});
}

/** What was read now beside what was read before: each message once, as it is now, the newest last. */
function joined(before: Found, now: Found): Found {
  const messages = new Map([...before.messages, ...now.messages].map((one) => [one.id, one]));
  return { ...before, messages: [...messages.values()].sort((one, other) => one.seq - other.seq) };
}

/** Reads the newest page again whenever something happens on the board. A search is of the moment at which it was asked for. */
function useNews(board: string, filters: Filters, take: (now: Found) => void): void {
  const words = JSON.stringify(filters);
  useEffect(() => {
    if (filters.q) return;
    const state = { isOver: false, isStale: false, isReading: false };
    const readAgain = async () => {
      state.isReading = true;
      while (state.isStale && !state.isOver) {
        state.isStale = false;
        // What cannot be read now is read with the next news. Until then what is shown stays.
        const now = await find(board, filters, null).catch(() => null);
        if (now && !state.isOver) take(now);
      }
      state.isReading = false;
    };
    const end = boardOf(board).onNews(() => {
      state.isStale = true;
      if (!state.isReading) void readAgain();
    });
    return () => {
      state.isOver = true;
      end();
    };
  }, [board, words]);
}

/** The messages that the filters let through, in place of the timeline. They follow what happens. Reading here moves no position. */
export function Filtered({ board, filters }: { board: string; filters: Filters }) {
  const [found, setFound] = useState<Found | Error | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const words = JSON.stringify(filters);
  const [tries, setTries] = useState(0);
  const show = (reading: Promise<Found>) => {
    let isOver = false;
    reading.then(
      (one) => !isOver && setFound(one),
      (error: unknown) =>
        !isOver && setFound(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      isOver = true;
    };
  };
  useEffect(() => {
    setFound(null);
    return show(find(board, filters, null));
  }, [board, words, tries]);
  const asked = useRef(words);
  asked.current = words;
  /** Reads more. What is shown stays, also where that cannot be read, or where other filters were chosen meanwhile. */
  const showMore = (next: () => Promise<Found>) =>
    void next().then(
      (more) => {
        if (asked.current !== words) return;
        setFound((before) => (before && !(before instanceof Error) ? joined(more, before) : more));
      },
      (error: unknown) => toast({ text: sentenceOf(error), isError: true }),
    );
  useNews(board, filters, (now) =>
    setFound((before) => (before && !(before instanceof Error) ? joined(before, now) : before)),
  );
  const messages = found && !(found instanceof Error) ? found.messages : [];
  useFeedKeys({
    feed: "talk",
    box,
    isAsked: () => true,
    messageOf: (id) => messages.find((one) => one.id === id),
  });
  if (found === null)
    return (
      <div class="scroll">
        <Bones what="messages" />
      </div>
    );
  if (found instanceof Error)
    return (
      <div class="scroll">
        <Failed
          what="The messages could not be read."
          error={found}
          again={() => setTries(tries + 1)}
        />
      </div>
    );
  const { next, hits } = found;
  return (
    <div class="scroll" tabIndex={-1}>
      {messages.length + hits.length === 0 && (
        <div class="blank b0">
          <h2>No message is like this</h2>
          <p class="muted">Choose other filters, or show all messages.</p>
        </div>
      )}
      {next && !filters.q && <More run={() => showMore(next)} words="Show older ones" />}
      <div
        class="feed"
        role="feed"
        ref={box}
        aria-label="Messages found"
        {...followCurrent("talk")}
      >
        {messages.map((message, at) => {
          const before = messages[at - 1];
          const isNewDay = !before || dayOf(before.at) !== dayOf(message.at);
          return (
            <MessageArticle
              key={message.id}
              message={message}
              isMore={!isNewDay && goesOn(message, before)}
              feed="talk"
              day={isNewDay ? dayOf(message.at) : null}
            />
          );
        })}
        {hits.map((hit) => (
          <HitArticle key={hit.id} board={board} hit={hit} />
        ))}
      </div>
      {next && filters.q && <More run={() => showMore(next)} words="Show more" />}
    </div>
  );
}

const More = ({ run, words }: { run: () => void; words: string }) => (
  <div class="gap">
    <button class="b" type="button" onClick={run}>
      {words}
    </button>
  </div>
);

/** A message that has the words, with them marked, as a link to where it was said. */
function HitArticle({ board, hit }: { board: string; hit: Hit }) {
  const { seq, at, from, excerpt } = hit;
  return (
    <article class="msg" tabIndex={-1} data-stop="" aria-label={`${named(from)}, ${timeOf(at)}`}>
      <div class="row start">
        <span class="when">
          <time dateTime={at}>{timeOf(at)}</time>
        </span>
        <Mark of={from} />
        <div class="bd">
          <header class="by">
            <Name of={from} />
            <span class="muted">{dayOf(at)}</span>
            <a href={addressOf(board, "message", seq)}>#{seq}</a>
          </header>
          <p>
            {excerpt.more_before && "… "}
            {excerpt.parts.map(({ text, match }, part) =>
              match ? <mark key={part}>{text}</mark> : <span key={part}>{text}</span>,
            )}
            {excerpt.more_after && " …"}
          </p>
        </div>
      </div>
    </article>
  );
}
