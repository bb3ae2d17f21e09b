import { addressOf } from "../../core/screen/router.ts";
import { talkOf, type Message } from "../../core/talk/talk.ts";
import { spanOf, timeOf } from "../../core/screen/time.ts";
import { Icon } from "../icon.tsx";
import { named, visible } from "../who.tsx";

type AskOf = NonNullable<Message["ask"]>;

/** The message that answered an ask, if it is among those that are held. */
const answerOf = ({ board }: Message, { answer_seq }: AskOf): Message | undefined =>
  answer_seq === null
    ? undefined
    : talkOf(board).messages.value.find(({ seq }) => seq === answer_seq);

/** How an ask ended, as short as its head needs it. */
export function endOf(message: Message, ask: AskOf): string {
  if (ask.state === "went_with") return ask.going_at ? `at ${timeOf(ask.going_at)}` : "";
  const given = answerOf(message, ask);
  if (!given) return "";
  const after = spanOf(message.at, given.at);
  return ask.state === "withdrawn" ? `after ${after}` : `answered after ${after}`;
}

/** What came of an ask. `said` is an answer of this person that is on its way. */
export function Chosen({
  message,
  ask,
  said,
}: {
  message: Message;
  ask: AskOf;
  said: string | undefined;
}) {
  if (ask.state === "withdrawn") return null;
  if (ask.state === "went_with" && said === undefined)
    return (
      <p class="chosen">
        <Icon name="clock" />
        <span>
          Went with <b>“{visible(ask.going_with ?? "")}”</b>
        </span>
      </p>
    );
  const given = answerOf(message, ask);
  const option = ask.answer_option === null ? undefined : ask.options[ask.answer_option - 1];
  const isSaid = said !== undefined && ask.state !== "answered";
  return (
    <p class="chosen">
      <Icon name="check" />
      <span>
        <b>{visible((isSaid ? said : (option ?? given?.body)) ?? "Answered in words")}</b>{" "}
        {!isSaid && given && (
          <span class="muted">
            {named(given.from)}, {timeOf(given.at)}
          </span>
        )}
        {!isSaid && ask.answer_seq !== null && (
          <>
            {given && " · "}
            <a href={addressOf(message.board, "message", ask.answer_seq)}>in context</a>
          </>
        )}
      </span>
    </p>
  );
}
