import { useEffect, useState } from "preact/hooks";
import { boardOf } from "../../core/boards/board.ts";
import { threadAddress, type Feed } from "../../core/talk/message-acts.ts";
import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { ageOf, timeOf } from "../../core/screen/time.ts";
import { me } from "../../core/boards/overview.ts";
import { Ask, AnsweredBy } from "../asks/ask.tsx";
import { Attached } from "../text/attached.tsx";
import { Icon } from "../icon.tsx";
import { memo } from "./memo.ts";
import { elementId, MessageActs, openAt } from "./message-acts.tsx";
import { Reactions } from "./reactions.tsx";
import { reachedLine, receiptsOf } from "./receipts.tsx";
import { TaskLink } from "../text/references.tsx";
import { MessageText } from "../text/message-text.tsx";
import { Mark, Name, named, visible, Whose } from "../who.tsx";

/** How soon after one another two messages of one author stand under one head. */
const togetherMs = 5 * 60_000;

/** Whether a message goes on where the one before it ended: then its head is left out. */
export const goesOn = (message: Message, before: Message | undefined): boolean =>
  before !== undefined &&
  before.from.name === message.from.name &&
  before.from.kind === message.from.kind &&
  before.from.origin === message.from.origin &&
  before.to.join() === message.to.join() &&
  !message.ask &&
  !message.answer &&
  Date.parse(message.at) - Date.parse(before.at) < togetherMs;

/** Whether a message is about the tasks of the one above it in its thread: they need not be named again. */
export const isAboutTheSame = ({ about = [] }: Message, above: Message | undefined): boolean =>
  above !== undefined && namesOf(about) === namesOf(above.about ?? []);
const namesOf = (tasks: NonNullable<Message["about"]>) => tasks.map(({ ref }) => ref).join();

const Recipients = ({ message: { to, from } }: { message: Message }) =>
  to.includes("all") ? null : (
    <span class="to">
      to{" "}
      {to.map((target, at) => (
        <>
          {at > 0 && " "}
          <span class={target === `@${me.value}` && !from.origin ? "at me" : "at"}>
            {visible(target)}
          </span>
        </>
      ))}
    </span>
  );

/** What may stand above a message in its article: the day that begins with it, and how much is new from it on. */
interface Above {
  readonly day?: string | null;
  readonly since?: string | null;
}

/** The day that begins with a row, and the line above what is new. */
export const AboveRow = ({ day, since }: Above) => (
  <>
    {day && (
      <div class="day">
        <h2>{day}</h2>
      </div>
    )}
    {since && (
      <div class="since">
        <span>{since}</span>
      </div>
    )}
  </>
);

/** A message as an article of its own. With `isMore` it goes on where the one above ended, and its head is left out. */
export const MessageArticle = memo(function MessageArticle({
  message,
  isMore,
  feed,
  isAboutTold = false,
  ...above
}: { message: Message; isMore: boolean; feed: Feed; isAboutTold?: boolean } & Above) {
  return (
    <article class="msg" {...stopOf(message, feed)}>
      <AboveRow {...above} />
      <Row message={message} isMore={isMore} feed={feed} isAboutTold={isAboutTold} />
    </article>
  );
});

/** A message in a run of replies. */
export const ReplyArticle = memo(function ReplyArticle({
  message,
  feed,
  isAboutTold,
}: {
  message: Message;
  feed: Feed;
  isAboutTold: boolean;
}) {
  return (
    <article class="reply" {...stopOf(message, feed)}>
      <Row message={message} isMore={false} isSmall feed={feed} isAboutTold={isAboutTold} />
    </article>
  );
});

/** What makes an element a message that the focus can stop at. */
const stopOf = ({ seq, id, from, at }: Message, feed: Feed) => ({
  id: elementId(feed, seq),
  tabIndex: -1,
  "data-stop": "",
  "data-id": id,
  "data-seq": seq,
  "aria-posinset": seq,
  "aria-setsize": -1,
  "aria-label": `${named(from)}, ${timeOf(at)}`,
});

function Row({
  message,
  isMore,
  isSmall = false,
  feed,
  isAboutTold,
}: {
  message: Message;
  isMore: boolean;
  isSmall?: boolean;
  feed: Feed;
  isAboutTold: boolean;
}) {
  const { seq, at, from, board, ask, answer } = message;
  const display = useDisplayName(message);
  return (
    <div class={isMore ? "row more" : isSmall ? "row" : "row start"}>
      <a class="when" href={addressOf(board, "message", seq)}>
        <time dateTime={at}>{timeOf(at)}</time>
        {!isMore && !isSmall && <span class="no">#{seq}</span>}
      </a>
      {!isMore && <Mark of={from} display={display} small={isSmall} />}
      <div class="bd">
        {!isMore && !ask && (
          <header class="by">
            <Name of={from} />
            <Whose from={from} showOwner={message.show_owner} />
            <time class="when2" dateTime={at}>
              {timeOf(at)}
            </time>
            <Recipients message={message} />
            <Flags message={message} />
          </header>
        )}
        {answer && <AnsweredBy message={message} answer={answer} />}
        {ask ? (
          <Ask message={message} ask={ask} />
        ) : (
          <MessageText id={message.id} text={message.body} of={message} />
        )}
        {!ask && <Attached message={message} />}
        <Reactions message={message} />
        <Foot message={message} feed={feed} isAboutTold={isAboutTold} />
      </div>
      <MessageActs message={message} feed={feed} />
    </div>
  );
}

/** The name that a person goes by, if the board's list of members has one. */
function useDisplayName({ board, from }: Message): string | undefined {
  if (from.kind !== "human" || from.origin !== undefined) return undefined;
  return boardOf(board).members.value.find(
    ({ kind, name }) => kind === "human" && name === from.name,
  )?.display_name;
}

function Flags({ message: { urgent, expects_reply, ask, quiet } }: { message: Message }) {
  return (
    <>
      {urgent && (
        <span class="flag">
          <Icon name="urgent" />
          urgent
        </span>
      )}
      {expects_reply && !ask && (
        <span class="flag">
          <Icon name="ask" />
          asks for a reply
        </span>
      )}
      {quiet && <span class="muted">woke nobody</span>}
    </>
  );
}

function Foot({
  message,
  feed,
  isAboutTold,
}: {
  message: Message;
  feed: Feed;
  isAboutTold: boolean;
}) {
  const { reply_count, last_reply_at, thread_root, board } = message;
  const about = isAboutTold ? [] : (message.about ?? []);
  const isRoot = feed === "talk" && reply_count > 0 && thread_root === null;
  const reached = useReached(message);
  if (!isRoot && about.length === 0 && !reached) return null;
  return (
    <div class="foot">
      {isRoot && (
        <a class="thr" href={threadAddress(message)}>
          <Icon name="thread" small />
          <b>{reply_count === 1 ? "1 reply" : `${reply_count} replies`}</b>
          {last_reply_at && <span>last {ageOf(last_reply_at)}</span>}
        </a>
      )}
      {about.length > 0 && (
        <span class="about">
          about{" "}
          {about.map(({ ref }) => (
            <TaskLink key={ref} board={board} reference={ref} />
          ))}
        </span>
      )}
      {reached && (
        <button class="lnk0" type="button" onClick={() => openAt(feed, message, "reached")}>
          {reached}
        </button>
      )}
    </div>
  );
}

const dayMs = 86_400_000;
/** A message that has just come into view is asked for when it stays there a moment. */
const restMs = 700;

/** Whom an own message of the last day has reached. It is asked for when the message is shown. */
function useReached(message: Message): string | null {
  const [line, setLine] = useState<string | null>(null);
  const isWanted =
    message.sender === "self" &&
    !message.to.includes("all") &&
    Date.now() - Date.parse(message.at) < dayMs;
  useEffect(() => {
    if (!isWanted) return;
    const timer = setTimeout(() => {
      // Without an answer the line is left out.
      void receiptsOf(message).then(
        (found) => setLine(reachedLine(found)),
        () => {},
      );
    }, restMs);
    return () => clearTimeout(timer);
  }, [isWanted, message]);
  return line;
}
