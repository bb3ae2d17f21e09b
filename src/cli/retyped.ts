import type { Cli } from "./cli.ts";
import { shellWord } from "../contract/shell-word.ts";

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
  return `\`service ${[...kept, ...about].map((word) => shellWord(firstLine(word))).join(" ")}\``;
}

const firstLine = (text: string): string => text.trim().split("\n")[0]!;

/** The command line that was typed, in backticks, with its question answered. */
export function againWithYes({ words }: Cli): string {
  const flagsEnd = words.includes("--") ? words.indexOf("--") : words.length;
  return `\`service ${words.toSpliced(flagsEnd, 0, "--yes").map(shellWord).join(" ")}\``;
}
