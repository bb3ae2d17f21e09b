import type { Cli } from "./cli.ts";
import { quoted } from "./program-name.ts";

const dropped = new Set(["--yes", "--json"]);

/** The command line that was typed, in backticks, without `--yes`, `--json` and `--as`: for a person to run. */
export function againInTerminal(cli: Cli): string {
  const words = cli.words.filter(
    (word, i) => !dropped.has(word) && !/^--as(=|$)/.test(word) && cli.words[i - 1] !== "--as",
  );
  return `\`service ${words.map(quoted).join(" ")}\``;
}

/** The command line that was typed, in backticks, with its question answered. */
export function againWithYes({ words }: Cli): string {
  const flagsEnd = words.includes("--") ? words.indexOf("--") : words.length;
  return `\`service ${words.toSpliced(flagsEnd, 0, "--yes").map(quoted).join(" ")}\``;
}
