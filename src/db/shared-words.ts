/** So many words are held at most. */
const mostWords = 1_000;
const words = new Map<string, string>();

/** The same word as one string for all who ask for it. */
export function shared<W extends string>(word: W): W {
  const known = words.get(word);
  if (known !== undefined) return known as W;
  if (words.size >= mostWords) words.clear();
  words.set(word, word);
  return word;
}
