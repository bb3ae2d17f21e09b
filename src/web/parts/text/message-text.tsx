import { signal } from "@preact/signals";
import type { Source } from "./references.tsx";
import { Written } from "./text.tsx";

/** A text with more characters or lines than these is shown without its end, until its reader asks for that. */
const foldsFrom = { characters: 5_000, lines: 120 };
/** So much of it is shown. */
const beginning = { characters: 4_000, lines: 100 };

/** What the reader has asked for whole, until the page is loaded anew. */
const whole = signal<ReadonlySet<string>>(new Set());

/**
 * The text of a message, whose id it needs to remember that its reader asked for the whole. A board may have fifty of 32,768
 * characters one after another: shown whole, they would keep the page busy for seconds.
 */
export function MessageText({ id, text, of }: { id: string; text: string; of?: Source }) {
  const shown = whole.value.has(id) ? text : beginningOf(text);
  return (
    <>
      <Written text={shown} {...(of && { of })} />
      {shown !== text && (
        <button
          type="button"
          class="b q"
          onClick={() => (whole.value = new Set([...whole.value, id]))}
        >
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}

/** A text, or its beginning where it is long: whole lines if they are not long themselves. */
function beginningOf(text: string): string {
  const lines = text.split("\n", foldsFrom.lines + 1);
  if (text.length <= foldsFrom.characters && lines.length <= foldsFrom.lines) return text;
  const part = lines.slice(0, beginning.lines).join("\n").slice(0, beginning.characters);
  const end = part.lastIndexOf("\n");
  return end > part.length / 2 ? part.slice(0, end) : part.replace(/[\ud800-\udbff]$/, "");
}
