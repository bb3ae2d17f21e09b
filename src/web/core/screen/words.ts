/** A number and what it counts. */
export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** Names as one would say them: `ada, bob and cleo`. */
export function listed(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
