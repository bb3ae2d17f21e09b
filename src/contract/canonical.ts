/**
 * Canonical JSON (RFC 8785): the text whose bytes are hashed. Keys are sorted by UTF-16 code units, there is no white
 * space, and null is kept. Refuses what the log never holds: fractions, numbers past 2^53, lone surrogates, undefined.
 */
export function canonical(value: unknown): string {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new TypeError("a lone surrogate cannot be hashed");
    return JSON.stringify(value);
  }
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} cannot be hashed`);
    return String(value + 0);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`${typeof value} cannot be hashed`);
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) text += `${text && ","}${JSON.stringify(key)}:${canonical(part)}`;
  }
  return `{${text}}`;
}
