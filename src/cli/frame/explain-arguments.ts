import { parseArgs, type ParseArgsConfig } from "node:util";
import { usageError } from "../../client/machine/local-error.ts";
import { nearest } from "./nearest.ts";

/** The refusal for arguments that the strict parser rejected, with the word that was probably meant. `command` is the one that was typed, if it is known. */
export function explain(
  words: string[],
  options: NonNullable<ParseArgsConfig["options"]>,
  command: string | undefined,
): Error {
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
    if (!option) return unknownFlag(token.rawName, Object.keys(options), command);
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

function unknownFlag(flag: string, known: string[], command: string | undefined): Error {
  const help = command === undefined ? "`--help` after the command" : `\`service help ${command}\``;
  const guess = nearest(flag.replace(/^-+/, ""), known);
  return usageError(
    `There is no flag ${flag} here.`,
    guess
      ? `Did you mean --${guess}? A text that begins with a dash comes after \`--\`.`
      : `${help} lists its flags. A text that begins with a dash comes after \`--\`.`,
    guess ? { choices: [`--${guess}`] } : undefined,
  );
}
