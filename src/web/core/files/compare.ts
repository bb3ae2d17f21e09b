import { diffArrays } from "diff";

/** A piece of a line, and whether it is what changed in it. */
export type Piece = readonly [text: string, isMarked: boolean];

/** A line of a comparison, with its number in each version that has it. */
export interface Line {
  readonly kind: "same" | "add" | "del";
  readonly before: number | null;
  readonly after: number | null;
  readonly pieces: readonly Piece[];
}

/** Lines that are shown, or that are folded because nothing near them changed. */
export interface Stretch {
  readonly isFolded: boolean;
  readonly lines: readonly Line[];
}

/** What changed from one text to another. */
export interface Comparison {
  readonly stretches: readonly Stretch[];
  readonly added: number;
  readonly removed: number;
  /** What the lines do not show: a line break at the end of one text alone. */
  readonly note: string | null;
}

/** Beyond so many changed lines nobody reads on, and finding them would take long. */
export const mostChanged = 2_000;
/** So many unchanged lines stand around what changed. */
const context = 3;
/** A block of more characters is marked as a whole. */
const longestMarked = 20_000;
/** At least this share of a changed block has to be the same, else its words are others altogether. */
const leastCommon = 0.3;

/** Compares two texts by lines, and changed lines by words. Null if more lines changed than are shown. */
export function compared(before: string, after: string): Comparison | null {
  const [old, fresh] = linesOf(before, after);
  const changes = diffArrays(old, fresh, { maxEditLength: mostChanged });
  if (!changes) return null;
  const lines: Line[] = [];
  let [at, to] = [0, 0];
  for (let index = 0; index < changes.length; index++) {
    const { value, added, removed } = changes[index]!;
    if (!added && !removed) {
      for (const text of value)
        lines.push({ kind: "same", before: ++at, after: ++to, pieces: [[text, false]] });
      continue;
    }
    const next = changes[index + 1];
    const isPair = removed && next?.added;
    const [gone, come] = removed ? [value, isPair ? next.value : []] : [[], value];
    const [goneWords, comeWords] = marked(gone, come);
    for (const pieces of goneWords) lines.push({ kind: "del", before: ++at, after: null, pieces });
    for (const pieces of comeWords) lines.push({ kind: "add", before: null, after: ++to, pieces });
    if (isPair) index++;
  }
  const count = (kind: Line["kind"]) => lines.filter((line) => line.kind === kind).length;
  return {
    stretches: folded(lines),
    added: count("add"),
    removed: count("del"),
    note: noteOf(before, after),
  };
}

/** The lines of both texts. Where both break lines in the same way, how they do is left out. */
function linesOf(before: string, after: string): [string[], string[]] {
  const isWide = (text: string) => text.includes("\r\n");
  const isSame = isWide(before) === isWide(after);
  const split = (text: string) => {
    const lines = (isSame ? text.replaceAll("\r\n", "\n") : text).split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines;
  };
  return [split(before), split(after)];
}

function noteOf(before: string, after: string): string | null {
  const [had, has] = [before, after].map((text) => text === "" || text.endsWith("\n"));
  if (had === has) return null;
  return `The ${had ? "newer" : "older"} version ends without a line break.`;
}

/** The lines of a block before and after it changed, with its changed words marked. */
function marked(gone: readonly string[], come: readonly string[]): [Piece[][], Piece[][]] {
  const plain = (lines: readonly string[]) => lines.map((line): Piece[] => [[line, false]]);
  const [old, fresh] = [gone.join("\n"), come.join("\n")];
  const isShort = old.length + fresh.length <= longestMarked;
  if (gone.length === 0 || come.length === 0 || !isShort) return [plain(gone), plain(come)];
  const changes = diffArrays(wordsOf(old), wordsOf(fresh), { maxEditLength: mostChanged });
  const common = (changes ?? [])
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.join("").trim().length, 0);
  if (!changes || common < leastCommon * Math.min(old.length, fresh.length))
    return [plain(gone), plain(come)];
  const side = (without: "added" | "removed"): Piece[][] => {
    const pieces = changes
      .filter((change) => !change[without])
      .map(({ value, added, removed }): Piece => [value.join(""), added || removed]);
    return byLine(joined(pieces));
  };
  return [side("added"), side("removed")];
}

/** Words, with numbers such as 1.2 as one word, each sign, and what stands between them. */
const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}_]+(?:[.'’-][\p{L}\p{N}_]+)*|\n|[^\S\n]+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Marks that only spaces part are one mark. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const [index, [text, isMarked]] of pieces.entries()) {
    const isBetween = /^ +$/.test(text) && all.at(-1)?.[1] && pieces[index + 1]?.[1];
    const mark = isMarked || Boolean(isBetween);
    const last = all.at(-1);
    if (last && last[1] === mark) all[all.length - 1] = [last[0] + text, mark];
    else all.push([text, mark]);
  }
  return all.flatMap(withoutEdges);
}

/** A mark begins and ends with a word: the spaces around it are not marked. Spaces alone are. */
function withoutEdges([text, isMarked]: Piece): Piece[] {
  const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (!isMarked || words === "") return [[text, isMarked]];
  const pieces: Piece[] = [
    [before, false],
    [words, true],
    [after, false],
  ];
  return pieces.filter(([piece]) => piece !== "");
}

/** The pieces of several lines, each with its own. */
function byLine(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const [words, isMarked] of pieces)
    for (const [index, text] of words.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)!.push([text, isMarked]);
    }
  return lines;
}

/** Folds what is far from every change. A single line is not worth a fold. */
function folded(lines: readonly Line[]): Stretch[] {
  const near = lines.map(() => false);
  for (const [index, { kind }] of lines.entries())
    if (kind !== "same") near.fill(true, Math.max(0, index - context), index + context + 1);
  const stretches: { isFolded: boolean; lines: Line[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const isFolded = !near[index];
    if (stretches.at(-1)?.isFolded === isFolded) stretches.at(-1)!.lines.push(line);
    else stretches.push({ isFolded, lines: [line] });
  }
  return stretches.map((one) => (one.lines.length === 1 ? { ...one, isFolded: false } : one));
}
