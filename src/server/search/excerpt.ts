import type { Static } from "@sinclair/typebox";
import type { Excerpt } from "../../contract/search.ts";
import { openMark, partsOf, type Marked, type Part } from "../../db/search/excerpt-marks.ts";

/** Length of an excerpt, and how much of it precedes the first finding, in UTF-16 units. */
const excerptLength = 240;
const before = 60;

/** How many bytes before and after the start of the first finding contain every excerpt with its marks. */
const reach = 2048;

/** The part of a text around its first finding. It starts at the beginning of a word if one is near. */
export function excerptOf(marked: Marked): Static<typeof Excerpt> {
  const first = Math.max(marked.indexOf(openMark), 0);
  const start = wholeBytes(marked, first - reach);
  const end = wholeBytes(marked, first + reach);
  const parts = partsOf(marked.subarray(start, end));
  const around = parts.map(({ text }) => text).join("");
  const [from, to] = windowOf(around, lengthBefore(parts));
  let at = 0;
  const shown = parts.flatMap(({ text, match }) => {
    const offset = at;
    at += text.length;
    const piece = text.slice(Math.max(from - offset, 0), Math.max(to - offset, 0));
    return piece === "" ? [] : [{ text: piece, match }];
  });
  return {
    parts: shown,
    more_before: start > 0 || from > 0,
    more_after: end < marked.length || to < around.length,
  };
}

/** The position, moved back to the start of a character if it is inside one. */
function wholeBytes(marked: Marked, position: number): number {
  let at = Math.min(Math.max(position, 0), marked.length);
  while (((marked[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
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

/** The position, moved on by one if it is inside a character of two units. */
function wholeCharacter(text: string, position: number): number {
  const isInside = (text.charCodeAt(position) & 0xfc00) === 0xdc00;
  return Math.min(position + (isInside ? 1 : 0), text.length);
}
