import { useState } from "preact/hooks";
import type { Coloured } from "../../core/files/code.ts";
import { ColouredPiece, useColours } from "./coloured.tsx";
import { visibleCode } from "../who.tsx";

/** So many lines are drawn at once. */
const mostLines = 2_000;

/** A text as it is written, with the numbers of its lines, and in colours if it is in a language. */
export function Lines({
  text,
  language,
  label,
}: {
  text: string;
  language: string;
  label: string;
}) {
  const [shown, setShown] = useState(mostLines);
  const pieces = useColours(text, language);
  const lines = linesOf(pieces ?? [[text, ""]]);
  const more = lines.length - shown;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="diff src">
        <caption class="vh">{label}</caption>
        <colgroup>
          <col class="c1" />
          <col />
        </colgroup>
        <tbody>
          {lines.slice(0, shown).map((line, at) => (
            <tr key={at}>
              <td class="ln">{at + 1}</td>
              <td>
                {line.map(([piece, look], index) => (
                  <ColouredPiece key={index} piece={[visibleCode(piece), look]} />
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p class="foot">
          <button class="b" type="button" onClick={() => setShown(shown + 5 * mostLines)}>
            Show more of the {more} lines that follow
          </button>
        </p>
      )}
    </div>
  );
}

/** Pieces of a text by its lines. A line break at the end begins no line. */
function linesOf(pieces: readonly Coloured[]): Coloured[][] {
  const lines: Coloured[][] = [[]];
  for (const [text, look] of pieces)
    for (const [index, part] of text.split(/\r?\n/).entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push([part, look]);
    }
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop();
  return lines;
}
