import { answer, answerDraft } from "../../core/sending/asks.ts";
import { changeDraft, draftAt } from "../../core/sending/drafts.ts";
import type { Message } from "../../core/talk/talk.ts";
import { visible } from "../who.tsx";

type AskOf = NonNullable<Message["ask"]>;

/** Leaves the focus at the ask whose answer was given: what had it is gone then, and the reader goes on from there. */
const keepFocus = (within: Element) =>
  within.closest<HTMLElement>(".ask")?.focus({ preventScroll: true });

/** The options of an open ask, and a field for an answer in words. */
export function Options({
  message,
  ask,
  isOff,
  isMine,
}: {
  message: Message;
  ask: AskOf;
  isOff: boolean;
  /** Whether this person may answer, now or while the board is in use. Others see the options alone. */
  isMine: boolean;
}) {
  const place = answerDraft(message.id);
  const words = draftAt(place).value.text;
  if (ask.options.length === 0 && !isMine) return null;
  const version = message.files?.length === 1 ? ` of version ${message.files[0]!.version}` : "";
  return (
    <div class="opts">
      {ask.options.map((option, at) => (
        <button
          class="opt"
          type="button"
          key={at}
          disabled={isOff}
          onClick={({ currentTarget }) => {
            keepFocus(currentTarget);
            answer(message, at + 1, "");
          }}
        >
          <kbd>{at + 1}</kbd>
          <span>{visible(option)}</span>
          {ask.approval && at === 0 && isMine && <small>records your approval{version}</small>}
        </button>
      ))}
      {isMine && (
        <form
          class="words"
          data-draft={place}
          onSubmit={(event) => {
            event.preventDefault();
            if (isOff || words.trim() === "") return;
            keepFocus(event.currentTarget);
            answer(message, null, words);
          }}
        >
          <input
            class="f"
            aria-label="Answer in your own words"
            placeholder={
              ask.approval
                ? "What is missing?"
                : ask.options.length > 0
                  ? "Or in your own words"
                  : "Your answer"
            }
            value={words}
            disabled={isOff}
            onInput={({ currentTarget }) => changeDraft(place, { text: currentTarget.value })}
          />
          <button class="b" type="submit" disabled={isOff}>
            Answer
          </button>
        </form>
      )}
    </div>
  );
}
