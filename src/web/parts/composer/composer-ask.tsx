import type { AskDraft } from "../../core/sending/drafts.ts";
import { mostOptions } from "../../../contract/limits.ts";
import type { Writing } from "./writing.ts";
import { Icon } from "../icon.tsx";

const longestOption = 80;

/** The options of an ask, and what holds if nobody answers in time. */
export function AskEditor({ writing, ask }: { writing: Writing; ask: AskDraft }) {
  const { options, goesWith, at } = ask;
  const change = (next: Partial<AskDraft>) => writing.change({ ask: { ...ask, ...next } });
  const write = (index: number, text: string) =>
    change({ options: options.map((option, each) => (each === index ? text : option)) });
  const drop = (index: number) =>
    change({
      options: options.filter((_, each) => each !== index),
      goesWith:
        goesWith === null || goesWith === index ? null : goesWith - (goesWith > index ? 1 : 0),
    });
  const written = options.filter((option) => option.trim() !== "").length;
  return (
    <div class="askedit" role="group" aria-label="Options of the ask">
      <p class="lbl0">
        Options of the ask{" "}
        <span class="hint">
          {written} of {mostOptions}
        </span>
      </p>
      {options.map((option, index) => (
        <div class="optline" key={index}>
          <kbd>{index + 1}</kbd>
          <input
            class="f"
            aria-label={`Option ${index + 1}`}
            value={option}
            maxLength={longestOption}
            onInput={({ currentTarget }) => write(index, currentTarget.value)}
            onKeyDown={(event) => {
              // The next field, and not the message: it is sent from the text or by its button.
              if (event.key !== "Enter" || event.isComposing) return;
              event.preventDefault();
              const fields = [
                ...event.currentTarget.closest(".askedit")!.querySelectorAll("input.f"),
              ];
              (fields[fields.indexOf(event.currentTarget) + 1] as HTMLElement | undefined)?.focus();
            }}
          />
          <button
            class="ib"
            type="button"
            aria-label={`Without option ${index + 1}`}
            onClick={() => drop(index)}
          >
            <Icon name="x" small />
          </button>
        </div>
      ))}
      {options.length < mostOptions && (
        <button
          class="b q add"
          type="button"
          onClick={(event) => {
            const box = event.currentTarget.closest(".askedit");
            change({ options: [...options, ""] });
            requestAnimationFrame(() =>
              box?.querySelector<HTMLElement>(".optline:last-of-type input")?.focus(),
            );
          }}
        >
          <Icon name="plus" small />
          Another option
        </button>
      )}
      {written >= 1 && (
        <p class="inl hintl">
          <label class="inl">
            <input
              type="checkbox"
              checked={goesWith !== null}
              onChange={({ currentTarget }) =>
                change(
                  currentTarget.checked
                    ? { goesWith: 0, at: at || inAnHour() }
                    : { goesWith: null },
                )
              }
            />{" "}
            Goes on by itself with
          </label>{" "}
          <select
            class="f sm"
            aria-label="With which option"
            disabled={goesWith === null}
            value={goesWith ?? 0}
            onChange={({ currentTarget }) => change({ goesWith: Number(currentTarget.value) })}
          >
            {options.map((_, index) => (
              <option key={index} value={index}>
                option {index + 1}
              </option>
            ))}
          </select>{" "}
          at{" "}
          <input
            class="f sm"
            type="time"
            aria-label="When"
            disabled={goesWith === null}
            value={at}
            onInput={({ currentTarget }) => change({ at: currentTarget.value })}
          />
        </p>
      )}
      {goesWith === null && written >= 1 && <p class="hint">It blocks until somebody answers.</p>}
    </div>
  );
}

const inAnHour = (): string => {
  const then = new Date(Date.now() + 3_600_000);
  return `${String(then.getHours()).padStart(2, "0")}:${String(then.getMinutes()).padStart(2, "0")}`;
};
