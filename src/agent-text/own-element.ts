/**
 * Signs that nobody sees, such as a space without width or a soft hyphen, and marks over and through the sign before
 * them. A model reads the word as if they were not there.
 */
const unseenSign = "\\p{Default_Ignorable_Code_Point}\\p{M}";
const unseen = `[${unseenSign}]*`;

/** Signs that look like one of those with which elements of this program are written, beside the sign itself and its wide form. */
const lookalikes: Readonly<Record<string, string>> = {
  "<": "\u226e\ufe64\u2039\u2329\u27e8\u3008\u276e\u02c2\u1438",
  "/": "\u2044\u2215\u29f8\u2571\u27cb",
  "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\u2043\u02d7",
  a: "\u0430\u03b1\u0251",
  c: "\u0441\u03f2\u217d",
  d: "\u0501\u217e",
  e: "\u0435\u212e",
  g: "\u0261\u0581",
  i: "\u0456\u0131\u03b9\u2170",
  m: "\u217f",
  o: "\u043e\u03bf\u0585",
  s: "\u0455\ua731",
  t: "\u03c4",
  v: "\u0475\u03bd\u2174",
  x: "\u0445\u03c7\u2179",
};

/** A sign, its wide form, and those that look like it. */
const like = (sign: string): string => {
  const wide = String.fromCodePoint(sign.codePointAt(0)! + 0xfee0);
  return `[${sign === "-" ? "\\-" : sign}${wide}${lookalikes[sign] ?? ""}]`;
};

/** The words with which elements of this program begin, with unseen signs anywhere in them. */
const names = ["message", "notice", "digest", "text"]
  .map((name) => [...`service-${name}`].map(like).join(unseen))
  .join("|");
const gap = `[\\s${unseenSign}]*`;
/** What begins or ends such an element, or looks so. */
const beginning = new RegExp(`${like("<")}(?=(?:${gap}${like("/")})?${gap}(?:${names}))`, "giu");

/** Text from somebody else, escaped so that it cannot begin or end an element of this program, nor seem to. */
export const withoutElements = (text: string): string => text.replace(beginning, "&lt;");
