import type { Cli } from "./cli.ts";
import { shellWord } from "../../contract/shell-word.ts";

const dropped = new Set(["--yes", "--json"]);

/**
 * The command line that was typed, in backticks, without `--yes` and `--json`: for a person to run. `as` is the agent that
 * the command is about, if it is about one. Of a text of several lines, such as an invitation to join, the first is left.
 */
export function againInTerminal({ words }: Cli, as: string | null = null): string {
  const kept = words.filter(
    (word, i) =>
      !dropped.has(word) && word !== "--as" && words[i - 1] !== "--as" && !word.startsWith("--as="),
  );
  const about = as === null ? [] : ["--as", as];
  const again = kept.toSpliced(flagsEnd(kept), 0, ...about);
  return `\`service ${again.map((word) => shellWord(firstLine(word))).join(" ")}\``;
}

/** Where the flags end, of a command line with `--` or without. */
const flagsEnd = (words: readonly string[]): number =>
  words.includes("--") ? words.indexOf("--") : words.length;

const firstLine = (text: string): string => text.trim().split("\n")[0]!;

/** The command line that was typed, in backticks, with its question answered. */
export function againWithYes({ words }: Cli): string {
  return `\`service ${words.toSpliced(flagsEnd(words), 0, "--yes").map(shellWord).join(" ")}\``;
}
