import type { Cli } from "./cli.ts";
import { shellWord } from "../contract/shell-word.ts";

const dropped = new Set(["--yes", "--json"]);

/**
 * The command line that was typed, in backticks, without `--yes` and `--json`: for a person to run. `--as` stays where it
 * names the agent that the command is about. Of a text of several lines, such as an invitation to join, the first is left.
 */
export function againInTerminal({ words }: Cli, keepsAs = false): string {
  const isAs = (word: string | undefined) => !keepsAs && word === "--as";
  const kept = words.filter(
    (word, i) =>
      !dropped.has(word) &&
      !isAs(word) &&
      !isAs(words[i - 1]) &&
      (keepsAs || !word.startsWith("--as=")),
  );
  return `\`service ${kept.map((word) => shellWord(firstLine(word))).join(" ")}\``;
}

const firstLine = (text: string): string => text.trim().split("\n")[0]!;

/** The command line that was typed, in backticks, with its question answered. */
export function againWithYes({ words }: Cli): string {
  const flagsEnd = words.includes("--") ? words.indexOf("--") : words.length;
  return `\`service ${words.toSpliced(flagsEnd, 0, "--yes").map(shellWord).join(" ")}\``;
}
