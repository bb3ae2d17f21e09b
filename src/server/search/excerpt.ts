import type { Static } from "@sinclair/typebox";
import type { Excerpt } from "../../contract/search.ts";
import type { Part } from "./ranking.ts";

/** How long an excerpt is, and how much of it stands before the first finding, in UTF-16 units. */
const excerptLength = 240;
const before = 60;

/** What is shown of a text: the part around the first finding, begun at a word where one begins soon. */
export function excerptOf(parts: readonly Part[]): Static<typeof Excerpt> {
  const whole = parts.map(({ text }) => text).join("");
  const [from, to] = windowOf(whole, lengthBefore(parts));
  let end = 0;
  const shown = parts.flatMap(({ text, match }) => {
    const start = end;
    end += text.length;
    const piece = text.slice(Math.max(from - start, 0), Math.max(to - start, 0));
    return piece === "" ? [] : [{ text: piece, match }];
  });
  return { parts: shown, more_before: from > 0, more_after: to < whole.length };
}

function lengthBefore(parts: readonly Part[]): number {
  const [first] = parts;
  return first && !first.match && parts.length > 1 ? first.text.length : 0;
}

function windowOf(whole: string, finding: number): [from: number, to: number] {
  const earliest = Math.min(finding - before, whole.length - excerptLength);
  if (earliest <= 0) return [0, wholeCharacter(whole, excerptLength)];
  const word = whole.slice(earliest, finding).search(/(?<=\s)\S/u);
  const from = wholeCharacter(whole, earliest + Math.max(word, 0));
  return [from, wholeCharacter(whole, from + excerptLength)];
}

/** The same position, or the next where it stands inside a character of two units. */
function wholeCharacter(text: string, position: number): number {
  const isInside = (text.charCodeAt(position) & 0xfc00) === 0xdc00;
  return Math.min(position + (isInside ? 1 : 0), text.length);
}
