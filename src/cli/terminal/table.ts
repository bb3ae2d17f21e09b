export { counted } from "../../agent-text/counted.ts";

/** Rows of columns, indented. Each column is as wide as its longest cell. `least` is the minimum width of the first column. */
export function columns(rows: readonly (readonly string[])[], least = 0): string {
  const widths: number[] = [least];
  for (const row of rows)
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))));
  const pad = (cell: string, i: number) => cell + " ".repeat(widths[i]! - widthOf(cell));
  return rows.map((row) => `  ${row.map(pad).join("  ")}`.trimEnd()).join("\n");
}

const widthOf = (cell: string) => Bun.stringWidth(cell.replace(/[\ufdd0-\ufdd9]/g, ""));

/** The first 20 items of a list and the number of the others, short enough for a question. */
export const someOf = (texts: readonly string[]): string[] =>
  texts.length > 20 ? [...texts.slice(0, 20), `and ${texts.length - 20} more`] : [...texts];
