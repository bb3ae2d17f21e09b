/** A piece of code, and the look that it has: a word of the language, a value, a remark, or nothing. */
export type Coloured = readonly [text: string, look: "" | "kw" | "lit" | "rem"];

/** Longer code stays as it is. */
const longestColoured = 10_000;

const byName: Readonly<Record<string, string>> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  javascript: "js",
  mjs: "js",
  cjs: "js",
  jsx: "js",
  typescript: "ts",
  tsx: "ts",
  python: "py",
  rust: "rs",
  yml: "yaml",
  htm: "html",
  svg: "xml",
  markdown: "md",
  dockerfile: "docker",
  makefile: "make",
  h: "c",
  cpp: "c",
  patch: "diff",
  perl: "pl",
};

/** The language of code by the word beside it, or by the ending of a file's name. */
export const languageOf = (word: string): string => {
  const name = word.toLowerCase();
  return (Object.hasOwn(byName, name) && byName[name]) || name;
};

/** The language of a file. */
export const languageOfFile = (name: string): string =>
  languageOf(/([^./]+)$/.exec(name)?.[1] ?? "");

/** Colours code, once the highlighter is there. What it cannot read stays as it is. */
export async function colours(text: string, language: string): Promise<readonly Coloured[] | null> {
  if (language === "" || text.length > longestColoured) return null;
  try {
    return (await import("./highlight.ts")).coloured(text, languageOf(language));
  } catch {
    return null;
  }
}
