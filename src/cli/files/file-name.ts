import { longestFileName } from "../../contract/limits.ts";
import { oneLine } from "../terminal/clean.ts";
import { isBoardName, nearBoardName } from "../../client/file-name.ts";
import { usageError } from "../../client/machine/local-error.ts";

/** A name that a board takes. `again` writes the command with another name. */
export function boardName(name: string, again: (name: string) => string): string {
  if (isBoardName(name)) return name;
  const why =
    name.length > longestFileName
      ? `it has ${name.length} characters, and ${longestFileName} are the most`
      : "its parts are letters, digits, dots, underscores and dashes, with a letter or digit first";
  throw usageError(
    `A board takes no file named ${oneLine(name)}: ${why}.`,
    `Give it another name: ${again(nearBoardName(name))}.`,
  );
}
