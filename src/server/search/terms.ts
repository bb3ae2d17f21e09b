import { refuse } from "../../contract/refusal.ts";
import { searchBounds } from "../../contract/search.ts";
import type { Term } from "../../db/search/search.ts";

// A phrase in quotes, whose last quote may be missing, or a word; then a star.
const termsIn = /"([^"]*)(?:"|$)(\*?)|([^\s"]+)/gu;
/** Words as people count them. Everything else separates them. */
const words = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Words as the index separates them: of the marks on letters it knows only accents, and vowel signs end a word. */
const indexWords = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\u0300-\u036f]*/gu;
const hasWord = /[\p{L}\p{N}\p{Co}]/u;

/** The terms of a query: words, phrases in quotes, and prefixes with a star. Refuses a query without a word. */
export function termsOf(query: string): Term[] {
  // The index reads an expression up to its first NUL.
  const plain = query.replace(/\p{Cc}/gu, " ");
  const terms = [...plain.matchAll(termsIn)]
    .map(([, phrase, star, word = ""]): Term => {
      if (phrase !== undefined) return { text: phrase, prefix: star !== "" };
      const text = word.replace(/\*+$/u, "");
      return { text, prefix: text !== word };
    })
    .filter(({ text }) => hasWord.test(text));
  const problem = problemWith(terms);
  if (problem) throw refuse("invalid_request", { problem });
  return terms;
}

function problemWith(terms: readonly Term[]): string | null {
  const { words: mostWords, prefixes: mostPrefixes } = searchBounds;
  const prefixes = terms.filter(({ prefix }) => prefix);
  if (terms.length === 0) return "q has no word to search for";
  // A phrase costs a look at each of its words wherever a text might have it, so its words count too.
  if (terms.flatMap(({ text }) => text.match(indexWords) ?? []).length > mostWords)
    return `q has more than ${mostWords} words; each word of a phrase and each part of a word with punctuation counts`;
  if (prefixes.length > mostPrefixes) return `q has more than ${mostPrefixes} words with a star`;
  if (prefixes.some(({ text }) => isShort(text.match(words)?.at(-1) ?? "")))
    return `a word with a star needs ${searchBounds.prefixLength} letters or digits before it`;
  return null;
}

/** Refuses short prefixes in scripts with few letters, where they match a large part of all words. */
function isShort(beginning: string): boolean {
  const { prefixLength, prefixLengthBeyondLatin } = searchBounds;
  const isBeyond = /[^\p{Script=Latin}\p{N}\p{M}]/u.test(beginning);
  return [...beginning].length < (isBeyond ? prefixLengthBeyondLatin : prefixLength);
}
