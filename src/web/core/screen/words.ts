/** A number and what it counts. */
export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** A text, or its beginning where it has more characters than that. Says so, and ends in no half of a character. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest
    ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff\s.,:;]+$/, "")}…`
    : text;

/** Names as one would say them: `ada, bob and cleo`. */
export function listed(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
