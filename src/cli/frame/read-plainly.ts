import type { ParseArgsConfig } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads words as a strict `parseArgs` does when each is a known `--flag` with its value apart, or no flag at all; gives
 * null for any other line. Loading `node:util` takes as long as parsing a short command and reading its files.
 */
export function readPlainly(words: readonly string[], options: Options) {
  const values: Record<string, (string | boolean)[]> = {};
  const positionals: string[] = [];
  const keep = (name: string, value: string | boolean) => (values[name] ??= []).push(value);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const name = word.slice(2);
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const option = word.startsWith("--") && Object.hasOwn(options, name) ? options[name] : null;
    const next = words[i + 1];
    if (option?.type === "boolean") keep(name, true);
    else if (option?.type !== "string" || next === undefined || next.startsWith("-")) return null;
    else keep(name, words[++i]!);
  }
  return { values, positionals };
}
