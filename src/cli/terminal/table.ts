/** Rows of columns, indented. Each column is as wide as its longest cell; `least` is the first one's least width. */
export function columns(rows: readonly (readonly string[])[], least = 0): string {
  const widths: number[] = [least];
  for (const row of rows)
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))));
  const pad = (cell: string, i: number) => cell + " ".repeat(widths[i]! - widthOf(cell));
  return rows.map((row) => `  ${row.map(pad).join("  ")}`.trimEnd()).join("\n");
}

const widthOf = (cell: string) => Bun.stringWidth(cell.replace(/[\ufdd0-\ufdd9]/g, ""));

/** A number with its noun. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** The first of a long list, and how many more there are: what a question can show. */
export const someOf = (texts: readonly string[], most = 20): string[] =>
  texts.length > most ? [...texts.slice(0, most), `and ${texts.length - most} more`] : [...texts];
