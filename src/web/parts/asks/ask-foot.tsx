import { changeAnswer, takeAskBack } from "../../core/sending/asks.ts";
import { connection } from "../../core/connection/live.ts";
import { me } from "../../core/boards/overview.ts";
import type { Message } from "../../core/talk/talk.ts";
import { Confirm } from "../dialog.tsx";
import { named } from "../who.tsx";

type AskOf = NonNullable<Message["ask"]>;

/** What an answer comes to, or why there can be none; and what the asker can still do. */
export function AskFoot({
  message,
  ask,
  isMine,
  isOpen,
  isArchived,
  problem,
  isConfirming,
  setConfirming,
}: {
  message: Message;
  ask: AskOf;
  isMine: boolean;
  isOpen: boolean;
  isArchived: boolean;
  problem: string | undefined;
  isConfirming: boolean;
  setConfirming: (on: boolean) => void;
}) {
  const words = isOpen ? sentence(message, ask, isMine, isArchived) : null;
  const canStill = ask.state === "went_with" && !isOpen && ask.can_answer && isMine;
  const canWithdraw = ask.can_withdraw && isOpen;
  return (
    <>
      {problem && (
        <p class="err" role="alert">
          Not sent: {problem}
        </p>
      )}
      {(words || canStill || canWithdraw) && (
        <p class="ask-f">
          {words}{" "}
          {canStill && (
            <button class="lnk0" type="button" onClick={() => changeAnswer(message)}>
              Answer it all the same
            </button>
          )}
          {canWithdraw && (
            <button class="lnk0" type="button" onClick={() => setConfirming(true)}>
              Take it back
            </button>
          )}
        </p>
      )}
      {isConfirming && (
        <Confirm
          title="Take the ask back?"
          yes="Take it back"
          no="Keep it"
          onNo={() => setConfirming(false)}
          onYes={() => {
            setConfirming(false);
            takeAskBack(message);
          }}
        >
          <p>
            {named(ask.to)} is no longer asked, and nobody can answer it any more. The question
            stays in the record, struck out.
          </p>
        </Confirm>
      )}
    </>
  );
}

function sentence(
  { from }: Message,
  { to, can_answer }: AskOf,
  isMine: boolean,
  isArchived: boolean,
): string {
  if (isArchived) return "The board is archived, so it cannot be answered.";
  if (isMine && can_answer && connection.value.state === "lost")
    return "You can answer now; the answer waits with the rest.";
  if (isMine)
    return can_answer
      ? "What you answer is the board’s record of the decision."
      : "You cannot answer it any more.";
  const asked = `${named(to)} is asked.`;
  if (from.name === me.value && from.origin === undefined) return asked;
  return can_answer && from.owner === me.value
    ? `${asked} You can answer too, since ${named(from)} is yours.`
    : `${asked} You can reply in the thread.`;
}
