import { tokenizeWith, type ShjLanguageData, type ShjToken } from "@speed-highlight/core/tokenize";
import * as languages from "./languages.ts";
import type { Coloured } from "./code.ts";

const looks: Partial<Record<ShjToken, Coloured[1]>> = {
  kwd: "kw",
  type: "kw",
  class: "kw",
  section: "kw",
  str: "lit",
  num: "lit",
  bool: "lit",
  cmnt: "rem",
};

// The package's own types of its languages do not fit those that its function takes.
const all = languages as Readonly<Record<string, unknown>> as Record<string, ShjLanguageData>;

/** The pieces of a code in their looks. */
export function coloured(text: string, language: string): Coloured[] {
  const known = Object.hasOwn(all, language) ? all[language]! : null;
  if (!known) return [[text, ""]];
  const pieces: Coloured[] = [];
  tokenizeWith(text, known, (piece, token) => pieces.push([piece, (token && looks[token]) ?? ""]), {
    languages: all,
  });
  return pieces;
}
