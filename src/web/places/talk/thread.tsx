import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { boardOf } from "../../core/boards/board.ts";
import {
  answered,
  writesReply,
  canAct,
  copyLink,
  withQuery,
} from "../../core/talk/message-acts.ts";
import { me } from "../../core/boards/overview.ts";
import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { peopleOfThread } from "../../core/sending/recipients.ts";
import { openThreadAt } from "../../core/talk/threads.ts";
import { dayOf } from "../../core/screen/time.ts";
import { shortened } from "../../core/screen/words.ts";
import { Composer } from "../../parts/composer/composer.tsx";
import { followCurrent, useFeedKeys } from "../../parts/messages/feed.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { MenuButton } from "../../parts/menu.tsx";
import { goesOn, isAboutTheSame, MessageArticle } from "../../parts/messages/message.tsx";
import { Panel } from "../../parts/frame/panel.tsx";
import { UnsentMessages } from "../../parts/messages/unsent.tsx";
import { Failed } from "../../parts/problem.tsx";
import { named, visible } from "../../parts/who.tsx";
import { followShown } from "./shown.ts";
import { readingOf } from "./reading.ts";

/** A thread beside the timeline, with a composer of its own. Nothing that happens here moves the timeline. */
export function ThreadPanel({ board, seq }: { board: string; seq: number }) {
  const thread = useMemo(() => openThreadAt(board, seq), [board, seq]);
  useEffect(() => thread.end, [thread]);
  const messages = thread.messages.value;
  const state = thread.state.value;
  const root = messages[0];
  return (
    <Panel
      label="Thread"
      title={
        <>
          Thread <span class="muted num">#{root?.seq ?? seq}</span>
        </>
      }
      back={withQuery(addressOf(board))}
      end={
        root && (
          <MenuButton
            label="Thread menu"
            items={[{ label: "Copy its link", icon: "link", run: () => copyLink(root) }]}
          >
            <Icon name="dots" />
          </MenuButton>
        )
      }
    >
      {state instanceof Error && messages.length === 0 ? (
        <Failed
          what="The thread could not be read."
          error={state}
          again={() => void thread.load()}
        />
      ) : (
        <Messages messages={messages} isLoading={state === "loading"} />
      )}
      {root && canAct(board) && <Reply board={board} root={root} messages={messages} />}
    </Panel>
  );
}

/** The messages of the thread. It opens at its end, and stays there while the reader is there. */
function Messages({ messages, isLoading }: { messages: readonly Message[]; isLoading: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [messages]);
  useFeedKeys({
    feed: "thread",
    box,
    isAsked: () => box.current?.closest(".panel")?.contains(document.activeElement) ?? false,
    messageOf: (id) => messages.find((one) => one.id === id),
  });
  const [root] = messages;
  const board = messages[0]?.board;
  useEffect(() => {
    if (board === undefined) return;
    const reading = readingOf(board);
    const follower = followShown(scroller.current!, reading.isWanted, reading.shown);
    return follower.end;
  }, [board]);
  const bones = isLoading && messages.length === 0;
  return (
    <div
      class="scroll"
      ref={scroller}
      tabIndex={-1}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 48;
      }}
    >
      {bones && <Bones what="the thread" />}
      <div
        class="feed"
        role="feed"
        ref={box}
        aria-label="Messages of the thread"
        aria-busy={isLoading}
        {...followCurrent("thread")}
      >
        {messages.map((message, at) => {
          const before = messages[at - 1];
          const isNewDay = before !== undefined && dayOf(before.at) !== dayOf(message.at);
          return (
            <MessageArticle
              key={message.id}
              message={message}
              isMore={!isNewDay && goesOn(message, before)}
              feed="thread"
              isAboutTold={isAboutTheSame(message, at > 0 ? root : undefined)}
              day={isNewDay ? dayOf(message.at) : null}
            />
          );
        })}
        {root && <UnsentMessages board={root.board} root={root.id} />}
      </div>
    </div>
  );
}

/** Where the thread is answered, or one message of it. */
function Reply({
  board,
  root,
  messages,
}: {
  board: string;
  root: Message;
  messages: readonly Message[];
}) {
  const { value } = answered;
  const chosen = value && messages.some(({ id }) => id === value.id) ? value : null;
  useEffect(() => () => void (answered.value = null), []);
  const writes = writesReply.value;
  useLayoutEffect(() => {
    if (!writes) return;
    writesReply.value = false;
    document.querySelector<HTMLTextAreaElement>(".panel .compose textarea")?.focus();
  }, [writes]);
  const people = peopleOfThread(messages, boardOf(board).members.value, me.value);
  return (
    <>
      {chosen && (
        <p class="answers">
          <span class="clip1">
            Answers <b>{named(chosen.from)}</b>: {visible(shortened(chosen.body, 80))}
          </span>
          <button
            class="ib"
            type="button"
            aria-label="Answer the whole thread"
            onClick={() => (answered.value = null)}
          >
            <Icon name="x" small />
          </button>
        </p>
      )}
      <Composer board={board} thread={{ root: root.id, people, replyTo: chosen?.id ?? root.id }} />
    </>
  );
}
