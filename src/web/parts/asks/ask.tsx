import { useEffect, useRef, useState } from "preact/hooks";
import { ageShown } from "../../core/screen/age-shown.ts";
import {
  answer,
  answeredHere,
  changing,
  isToMe,
  waitingAnswer,
  watchAsk,
} from "../../core/sending/asks.ts";
import { boardOf } from "../../core/boards/board.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { me } from "../../core/boards/overview.ts";
import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { now, timeOf, untilOf } from "../../core/screen/time.ts";
import { Chosen, endOf } from "./ask-answered.tsx";
import { AskFoot } from "./ask-foot.tsx";
import { Options } from "./ask-options.tsx";
import { Sentence, nameOfAsk } from "./ask-sentence.tsx";
import { Attached } from "../text/attached.tsx";
import { Icon, type IconName } from "../icon.tsx";
import { MessageText } from "../text/message-text.tsx";
import { visible } from "../who.tsx";

type AskOf = NonNullable<Message["ask"]>;
type AnswerOf = NonNullable<Message["answer"]>;

/** The state of an ask now: one that goes ahead does so by the clock, whether anybody says so or not. */
const stateOf = ({ state, going_at }: AskOf): AskOf["state"] =>
  state === "open" && going_at !== null && Date.parse(going_at) <= now.value ? "went_with" : state;

/**
 * An ask with its options. Whoever is asked answers it where it stands. `count` says which of several it is; in the dock it is
 * no reason to hide the dock.
 */
export function Ask({
  message,
  ask: given,
  count,
  inDock = false,
}: {
  message: Message;
  ask: AskOf;
  count?: string;
  inDock?: boolean;
}) {
  const ask = { ...given, state: stateOf(given) };
  const { id, board } = message;
  const box = useRef<HTMLDivElement>(null);
  const isMine = isToMe(message);
  const said = answeredHere(id);
  const isChanged = changing.value.has(id);
  const isOpen = (ask.state === "open" && said === undefined) || isChanged;
  const canAnswer = ask.can_answer && isOpen;
  const mayAnswer = canAnswer && (isMine || message.from.owner === me.value);
  const [isConfirming, setConfirming] = useState(false);
  useEffect(() => {
    if (!box.current || inDock || !isMine || !canAnswer) return;
    return watchAsk(box.current, id);
  }, [id, inDock, isMine, canAnswer]);
  /** Keys work where the focus is: in the card, or on the message around it. */
  const withFocus = (run: () => void) => () => {
    const { activeElement: active } = document;
    const isHere =
      box.current && active && active !== document.body && active.contains(box.current);
    if (!mayAnswer || (!box.current?.contains(active) && !isHere)) return false;
    return run();
  };
  const choose = (option: number) =>
    withFocus(() => {
      if (ask.options[option - 1] !== undefined) answer(message, option, "");
    });
  useKeys({
    1: choose(1),
    2: choose(2),
    3: choose(3),
    4: choose(4),
    w: withFocus(() => box.current?.querySelector<HTMLElement>(".words input")?.focus()),
  });
  const isDone = !isOpen;
  const look = [
    "ask",
    isMine && canAnswer && "you",
    ask.going_with !== null && isOpen && "going",
    isDone && "done",
  ];
  return (
    <div
      ref={box}
      class={look.filter(Boolean).join(" ")}
      role="group"
      tabIndex={-1}
      data-ask={id}
      aria-label={nameOfAsk(message, ask, isMine, isOpen)}
    >
      <div class="ask-h">
        <Icon name={iconOf(ask, isOpen)} />
        <span>
          <Sentence message={message} ask={ask} isMine={isMine} isOpen={isOpen} />
        </span>
        {ask.task && (
          <span class="for">
            holds <a href={addressOf(board, "tasks", ask.task.ref)}>{ask.task.ref}</a>{" "}
            <bdi>{visible(ask.task.title)}</bdi>
          </span>
        )}
        <span class="end">
          {count && `${count} · `}
          {isOpen && ask.going_at
            ? `at ${timeOf(ask.going_at)}, ${untilOf(ask.going_at)}`
            : isOpen
              ? ageShown(message.at)
              : endOf(message, ask)}
        </span>
      </div>
      <div class="ask-b">
        {ask.state === "withdrawn" ? (
          <div class="md">
            <p class="muted">
              <s>{message.body}</s>
            </p>
          </div>
        ) : (
          <MessageText id={message.id} text={message.body} of={message} />
        )}
        <Attached message={message} isRead={ask.approval === true && isOpen} />
        {isOpen && (
          <Options message={message} ask={ask} isOff={!mayAnswer} isMine={isMine || mayAnswer} />
        )}
        {isDone && <Chosen message={message} ask={ask} said={said} />}
        <AskFoot
          message={message}
          ask={ask}
          isMine={isMine}
          isOpen={isOpen}
          isConfirming={isConfirming}
          setConfirming={setConfirming}
          isArchived={boardOf(board).info.value?.lifecycle === "archived"}
          problem={waitingAnswer(id)?.problem}
        />
      </div>
    </div>
  );
}

const iconOf = ({ state, going_with }: AskOf, isOpen: boolean): IconName =>
  state === "withdrawn" ? "x" : !isOpen ? "check" : going_with === null ? "stop" : "clock";

/** Says at the head of an answer what it answers. */
export const AnsweredBy = ({ message, answer: given }: { message: Message; answer: AnswerOf }) => (
  <p class="muted">
    {given.withdrawn ? "takes back " : "answers "}
    <a href={addressOf(message.board, "message", given.ask_seq)}>#{given.ask_seq}</a>
  </p>
);
