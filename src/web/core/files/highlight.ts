import { tokenizeWith, type ShjLanguageData, type ShjToken } from "@speed-highlight/core/tokenize";
import {
  asm,
  bash,
  c,
  css,
  csv,
  diff,
  docker,
  git,
  go,
  html,
  http,
  ini,
  java,
  js,
  jsdoc,
  json,
  log,
  lua,
  make,
  md,
  pl,
  py,
  regex,
  rs,
  sql,
  todo,
  toml,
  ts,
  uri,
  xml,
  yaml,
} from "@speed-highlight/core/languages";
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

// All that the package has but two that nobody writes here. Its own types of them do not fit those that its function takes.
const all: Readonly<Record<string, unknown>> = {
  asm,
  bash,
  c,
  css,
  csv,
  diff,
  docker,
  git,
  go,
  html,
  http,
  ini,
  java,
  js,
  jsdoc,
  json,
  log,
  lua,
  make,
  md,
  pl,
  py,
  regex,
  rs,
  sql,
  todo,
  toml,
  ts,
  uri,
  xml,
  yaml,
};

/** The pieces of a code in their looks. */
export function coloured(text: string, language: string): Coloured[] {
  const known = Object.hasOwn(all, language) ? (all[language] as ShjLanguageData) : null;
  if (!known) return [[text, ""]];
  const pieces: Coloured[] = [];
  tokenizeWith(text, known, (piece, token) => pieces.push([piece, (token && looks[token]) ?? ""]), {
    languages: all as Record<string, ShjLanguageData>,
  });
  return pieces;
}
