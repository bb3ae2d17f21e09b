import { useEffect, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import { setFold } from "../../core/screen/folds.ts";
import { threadAddress } from "../../core/talk/message-acts.ts";
import { talkOf, type Message } from "../../core/talk/talk.ts";
import { dayOf, timeOf } from "../../core/screen/time.ts";
import { shortened } from "../../core/screen/words.ts";
import { Icon } from "../../parts/icon.tsx";
import {
  AboveRow,
  isAboutTheSame,
  MessageArticle,
  ReplyArticle,
} from "../../parts/messages/message.tsx";
import { memo } from "../../parts/messages/memo.ts";
import { named, visible } from "../../parts/who.tsx";
import { actorOf, QuietWords } from "./quiet-line.tsx";
import type { GapRow, QuietRow, Row, RunRow } from "./row-list.ts";

/** What the rows of a timeline need to know besides themselves. */
export interface RowPlace {
  readonly board: string;
  /** The words of the line above what is new. */
  readonly since: string | null;
  loadGap(gap: GapRow): void;
}

/** A row of a timeline, as what it is. */
export function TimelineRow({ row, place }: { row: Row; place: RowPlace }) {
  const above = {
    day: row.isNewDay ? dayOf(row.at) : null,
    since: row.isNew ? place.since : null,
  };
  switch (row.kind) {
    case "message":
      return <MessageArticle message={row.message} isMore={row.isMore} feed="talk" {...above} />;
    case "run":
      return <Run row={row} board={place.board} {...above} />;
    case "quiet":
      return <Quiet row={row} board={place.board} day={above.day} />;
    case "gap":
      return <Gap row={row} place={place} />;
  }
}

const count = (number: number) => number.toLocaleString("en-GB");

/** Messages that are not held, and may be many. */
function Gap({ row, place }: { row: GapRow; place: RowPlace }) {
  return (
    <article class="gap" data-gap={row.seq} aria-label="Messages that are not loaded">
      <button class="b" type="button" onClick={() => place.loadGap(row)}>
        Load {count(row.last - row.seq + 1)} between
      </button>
    </article>
  );
}

/** What happened besides messages, in a line. */
const Quiet = memo(function Quiet({
  row,
  board,
  day,
}: {
  row: QuietRow;
  board: string;
  day: string | null;
}) {
  const { seq, at, events } = row;
  return (
    <article
      class="msg quiet"
      id={`e${seq}`}
      tabIndex={-1}
      data-stop=""
      aria-posinset={seq}
      aria-setsize={-1}
      aria-label={`${actorOf(events[0]!)}, ${timeOf(at)}`}
    >
      <AboveRow day={day} />
      <div class="row">
        <time class="when" dateTime={at}>
          {timeOf(at)}
        </time>
        <span />
        <div class="bd">
          <QuietWords board={board} events={events} />{" "}
          <time class="when2" dateTime={at}>
            {timeOf(at)}
          </time>
        </div>
      </div>
    </article>
  );
});

/** Replies of one thread where they were said. Folded, they are one line that counts them. */
function Run({
  row,
  board,
  day,
  since,
}: {
  row: RunRow;
  board: string;
  day: string | null;
  since: string | null;
}) {
  const { root, messages, isFolded, isHead, seq } = row;
  const words = useFirstWords(board, root);
  const first = messages[0]!;
  return (
    <article
      class="runs"
      id={`r${seq}`}
      tabIndex={-1}
      aria-posinset={seq}
      aria-setsize={-1}
      aria-label={`Replies in ${words}`}
      data-root={root}
      {...(isFolded && {
        "data-stop": "",
        "data-id": first.id,
        "data-shows": messages.map((one) => one.seq).join(" "),
      })}
    >
      <AboveRow day={day} since={since} />
      <div class={isHead ? "run" : "run on"}>
        {isHead && (
          <div class="run-h">
            <button
              class="fold"
              type="button"
              aria-expanded={!isFolded}
              aria-label={isFolded ? "Unfold these replies (Z)" : "Fold these replies (Z)"}
              onClick={() => setFold(root, !isFolded)}
            >
              <Icon name={isFolded ? "right" : "down"} small />
            </button>
            <a class="clip1" href={threadAddress(first)}>
              {isFolded ? (
                <>
                  <b>{messages.length === 1 ? "1 reply" : `${messages.length} replies`}</b> by{" "}
                  {writersOf(messages)} in <b>{words}</b>
                </>
              ) : (
                <>
                  in <b>{words}</b>
                </>
              )}
            </a>
          </div>
        )}
        {!isFolded &&
          messages.map((message, at) => (
            <ReplyArticle
              key={message.id}
              message={message}
              feed="talk"
              isAboutTold={isAboutTheSame(message, messages[at - 1])}
            />
          ))}
      </div>
    </article>
  );
}

const mostWriters = 3;

/** Who wrote replies, in a sentence. */
function writersOf(messages: readonly Message[]): string {
  const names = [
    ...new Set(messages.map(({ sender, from }) => (sender === "self" ? "you" : named(from)))),
  ];
  if (names.length > mostWriters) return `${names.length} of the board`;
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}

/** The first messages of threads that were read only for their first words. */
const rootWords = new Map<string, string>();
const longestWords = 60;

function wordsOf({ body, from }: Message): string {
  const line =
    body.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? `a message of ${named(from)}`;
  const plain = line.replace(/^[\s>#*\-+]+|[`*_]/g, "").trim();
  return visible(shortened(plain, longestWords));
}

/** What a thread begins with. Where its first message is not held, it is read for that. */
function useFirstWords(board: string, root: string): string {
  const held = talkOf(board).messages.value.find(({ id }) => id === root);
  const [read, setRead] = useState(rootWords.get(root) ?? null);
  const isMissing = held === undefined && read === null;
  useEffect(() => {
    if (!isMissing) return;
    api.call("getMessage", { params: { message: root } }).then(
      ({ message }) => {
        rootWords.set(root, wordsOf(message));
        setRead(wordsOf(message));
      },
      () => {},
    );
  }, [isMissing, root]);
  return held ? wordsOf(held) : (read ?? "a thread");
}
