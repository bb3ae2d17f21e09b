import { parseArgs, type ParseArgsConfig } from "node:util";
import { usageError } from "../../client/machine/local-error.ts";
import { nearest } from "./nearest.ts";

/** The refusal for arguments that the strict parser rejected, with the word that was probably meant. */
export function explain(words: string[], options: NonNullable<ParseArgsConfig["options"]>): Error {
  const { tokens } = parseArgs({
    args: words,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = options[token.name];
    if (!option) return unknownFlag(token.rawName, Object.keys(options));
    if (option.type === "boolean" && token.value !== undefined)
      return usageError(`${token.rawName} takes no value.`, `Write ${token.rawName} alone.`);
    if (option.type === "string" && isMissing(token.value, token.inlineValue))
      return usageError(
        `${token.rawName} needs a value.`,
        `Write it after the flag; one that begins with a dash as ${token.rawName}=VALUE.`,
      );
  }
  return usageError("The arguments cannot be read.", "`--help` after the command shows its use.");
}

const isMissing = (value: string | undefined, inline: boolean | undefined) =>
  value === undefined || (!inline && value.startsWith("-"));

function unknownFlag(flag: string, known: string[]): Error {
  const guess = nearest(flag.replace(/^-+/, ""), known);
  return usageError(
    `There is no flag ${flag} here.`,
    guess
      ? `Did you mean --${guess}? A text that begins with a dash comes after \`--\`.`
      : "`--help` after the command lists its flags. A text that begins with a dash comes after `--`.",
    guess ? { choices: [`--${guess}`] } : undefined,
  );
}
