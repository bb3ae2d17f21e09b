const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Random bytes, drawn many at a time because each draw has a fixed cost. */
const pool = new Uint8Array(4096);
let used = pool.length;

function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

/** All pairs of characters, by ten bits. Pairs halve the number of steps. */
const pairs = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
);

/** The time in ten characters: 48 bits of milliseconds. It is computed once for all ids of a millisecond. */
function timeText(milliseconds: number): string {
  let text = "";
  for (let time = milliseconds, i = 0; i < 5; i++, time = Math.floor(time / 1024))
    text = pairs[time % 1024] + text;
  return text;
}
let lastTime = { milliseconds: 0, text: "0000000000" };

/** A ULID: 48 bits of Unix milliseconds, then 80 random bits, in 26 characters. Two ULIDs of one millisecond have no order. */
export function ulid(milliseconds: number): string {
  if (lastTime.milliseconds !== milliseconds)
    lastTime = { milliseconds, text: timeText(milliseconds) };
  let text = lastTime.text;
  // Each pair of characters takes ten bits from two random bytes of its own, so all pairs are equally likely.
  const bytes = randomBytes(16);
  for (let i = 0; i < 16; i += 2) text += pairs[((bytes[i]! & 31) << 5) | (bytes[i + 1]! & 31)];
  return text;
}

/** A permanent id: `prefix_` and a ULID of the transaction's clock. */
export const newId = (tx: { readonly now: string }, prefix: string): string =>
  `${prefix}_${ulid(Date.parse(tx.now))}`;

/** Six characters of 30 random bits, written `XXX-XXX`. */
function shortCode(): string {
  const text = [...randomBytes(6)].map((byte) => alphabet[byte & 31]).join("");
  return `${text.slice(0, 3)}-${text.slice(3)}`;
}

/** How many codes are drawn before it counts as a fault that all are in use. */
const mostDraws = 5;

/** Draws a short code that is not in use. Codes have only 30 bits, so a drawn code may be taken. */
export function unusedCode(isTaken: (code: string) => boolean): string {
  for (let draws = 0; draws < mostDraws; draws++) {
    const code = shortCode();
    if (!isTaken(code)) return code;
  }
  throw new Error(`${mostDraws} short codes in a row were taken`);
}

/** Normalises a typed short code: any case, dashes and spaces anywhere, O for 0, I and L for 1. Null if it is no code. */
export function normalizedCode(typed: string): string | null {
  const text = typed.replace(/[-\s]/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{6}$/.test(text) ? `${text.slice(0, 3)}-${text.slice(3)}` : null;
}
