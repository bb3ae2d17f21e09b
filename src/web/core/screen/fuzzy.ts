/** How well a text fits what was typed, and which of its characters were typed. */
export interface Fit {
  readonly score: number;
  readonly at: readonly number[];
}

const isStart = (text: string, at: number): boolean => at === 0 || /[-_./ @]/.test(text[at - 1]!);

/**
 * Whether the typed letters come in a text in their order. Letters at the start of a word count most, then letters that follow
 * one another, and a shorter text more than a longer one. Null if they do not come.
 */
export function fitOf(typed: string, text: string): Fit | null {
  const wanted = typed.toLowerCase().replace(/\s+/g, "");
  const given = text.toLowerCase();
  if (wanted === "") return { score: 0, at: [] };
  const whole = wholeIn(given, wanted);
  const spread = spreadIn(given, wanted);
  return whole && (!spread || whole.score >= spread.score) ? whole : spread;
}

/** The letters as one piece, best at the start of a word. */
function wholeIn(text: string, wanted: string): Fit | null {
  let found = text.indexOf(wanted);
  for (let at = found; at >= 0; at = text.indexOf(wanted, at + 1))
    if (isStart(text, at)) {
      found = at;
      break;
    }
  if (found < 0) return null;
  const start = isStart(text, found) ? 100 : 0;
  const score = start + (found === 0 ? 50 : 0) + 4 * wanted.length - text.length / 100;
  return { score, at: [...wanted].map((_, step) => found + step) };
}

/** The letters one after another, with others between them. */
function spreadIn(text: string, wanted: string): Fit | null {
  const at: number[] = [];
  let score = -text.length / 100;
  let from = 0;
  for (const letter of wanted) {
    const next = bestPlace(text, letter, from);
    if (next < 0) return null;
    score += isStart(text, next) ? 8 : next === from && at.length > 0 ? 4 : 1;
    at.push(next);
    from = next + 1;
  }
  return { score, at };
}

/** Where a letter is taken from: the next start of a word with it, unless it follows at once. */
function bestPlace(text: string, letter: string, from: number): number {
  const next = text.indexOf(letter, from);
  if (next <= from) return next;
  for (let at = next; at >= 0; at = text.indexOf(letter, at + 1)) if (isStart(text, at)) return at;
  return next;
}
