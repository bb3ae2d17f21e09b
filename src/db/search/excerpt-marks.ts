/** A text as UTF-8, with a mark before and after each match of a term. */
export type Marked = Uint8Array;
/** The marks. These bytes never occur in UTF-8, so no text can contain them. */
export const openMark = 0xfe;
const closeMark = 0xff;

/** The marked text of a column of an index, in SQL. */
export const markedColumn = (index: string, column: number) =>
  `CAST(highlight(${index}, ${column}, CAST(x'fe' AS TEXT), CAST(x'ff' AS TEXT)) AS BLOB)`;

/** A piece of a text, and whether it matches the query. */
export interface Part {
  readonly text: string;
  readonly match: boolean;
}

/** Cuts a marked text at its marks. */
export function partsOf(marked: Marked): Part[] {
  const parts: Part[] = [];
  let [start, match] = [0, false];
  for (let at = 0; at <= marked.length; at++) {
    const byte = marked[at];
    if (byte !== undefined && byte !== openMark && byte !== closeMark) continue;
    const text = utf8.decode(marked.subarray(start, at));
    if (text !== "") parts.push({ text, match });
    [start, match] = [at + 1, byte === openMark];
  }
  return parts;
}
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Number of findings in a marked text, and its length without the marks in UTF-16 units. */
export function measured(marked: Marked): { findings: number; units: number } {
  let findings = 0;
  let units = 0;
  for (let at = 0; at < marked.length; at++) {
    const byte = marked[at]!;
    if (byte === openMark) findings++;
    else if (byte === closeMark) continue;
    // The first byte of a character. A character of four bytes has two units.
    else if ((byte & 0xc0) !== 0x80) units += byte < 0xf0 ? 1 : 2;
  }
  return { findings, units };
}
