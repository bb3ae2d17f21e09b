/**
 * What the Markdown parser needs of the package `entities`, without the table of all two thousand names. The parser reads
 * the numeric forms itself.
 */
const names: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  shy: "\u00ad",
  copy: "©",
  reg: "®",
  trade: "™",
  deg: "°",
  plusmn: "±",
  micro: "µ",
  middot: "·",
  para: "¶",
  sect: "§",
  laquo: "«",
  raquo: "»",
  ldquo: "“",
  rdquo: "”",
  lsquo: "‘",
  rsquo: "’",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  bull: "•",
  times: "×",
  divide: "÷",
  frac12: "½",
  frac14: "¼",
  frac34: "¾",
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
  ne: "≠",
  le: "≤",
  ge: "≥",
  infin: "∞",
  check: "✓",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
};

/** The character of an entity such as `&amp;`. One that is not known stays as it is written. */
export function decodeHTMLStrict(entity: string): string {
  const name = entity.slice(1, -1);
  return Object.hasOwn(names, name) ? names[name]! : entity;
}
