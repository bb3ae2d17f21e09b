import { useState } from "preact/hooks";
import type { Comparison, Line, Stretch } from "../../core/files/compare.ts";
import { visibleCode } from "../who.tsx";

/** What changed from one text to another, line by line. What did not change is folded. */
export function Diff({ comparison, label }: { comparison: Comparison; label: string }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="diff">
        <caption class="vh">{label}</caption>
        <colgroup>
          <col class="c1" />
          <col class="c2" />
          <col class="c3" />
          <col />
        </colgroup>
        <tbody>
          {comparison.stretches.map((stretch) => (
            <Lines key={keyOf(stretch.lines[0]!)} stretch={stretch} />
          ))}
          {comparison.note && (
            <tr class="skip-l">
              <td colSpan={4}>{comparison.note}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const keyOf = ({ before, after }: Line): string => `${before} ${after}`;

function Lines({ stretch: { isFolded, lines } }: { stretch: Stretch }) {
  const [isOpen, setOpen] = useState(!isFolded);
  if (isOpen)
    return (
      <>
        {lines.map((line) => (
          <Row key={keyOf(line)} line={line} />
        ))}
      </>
    );
  const heading = headingIn(lines);
  return (
    <tr class="skip-l">
      <td colSpan={4}>
        <button class="lnk0" type="button" onClick={() => setOpen(true)}>
          {lines.length} unchanged lines
        </button>
        {heading && ` · ${visibleCode(heading)}`}
      </td>
    </tr>
  );
}

/** The last heading of Markdown in some lines: it says what they are about. */
const headingIn = (lines: readonly Line[]): string | null => {
  const texts = lines.map(({ pieces }) => pieces.map(([text]) => text).join(""));
  const heading = texts.findLast((text) => /^#{1,6} \S/.test(text));
  return heading ? heading.replace(/^#+ /, "") : null;
};

const signs = { same: "", add: "+", del: "−" } as const;
const words = { same: "", add: "added ", del: "removed " } as const;

function Row({ line: { kind, before, after, pieces } }: { line: Line }) {
  const Mark = kind === "add" ? "ins" : "del";
  return (
    <tr {...(kind !== "same" && { class: kind })}>
      <td class="ln">{before}</td>
      <td class="ln">{after}</td>
      <td class="sg" aria-hidden="true">
        {signs[kind]}
      </td>
      <td>
        {kind !== "same" && <span class="vh">{words[kind]}</span>}
        {pieces.map(([text, isMarked], at) =>
          isMarked ? <Mark key={at}>{visibleCode(text)}</Mark> : visibleCode(text),
        )}
      </td>
    </tr>
  );
}
