import { fileNameForm } from "../../contract/forms.ts";
import { longestFileName } from "../../contract/limits.ts";
import { oneLine } from "../terminal/clean.ts";
import { usageError } from "../../client/machine/local-error.ts";

const form = new RegExp(fileNameForm);

/** Whether a board takes a name: then it leads nowhere but below the folder that it is taken in. */
export const isBoardName = (name: string): boolean =>
  form.test(name) && name.length <= longestFileName;

/** A name that a board takes. `again` writes the command with another name. */
export function boardName(name: string, again: (name: string) => string): string {
  if (isBoardName(name)) return name;
  const why =
    name.length > longestFileName
      ? `it has ${name.length} characters, and ${longestFileName} are the most`
      : "its parts are letters, digits, dots, underscores and dashes, with a letter or digit first";
  throw usageError(
    `A board takes no file named ${oneLine(name)}: ${why}.`,
    `Give it another name: ${again(suggested(name))}.`,
  );
}

/** A name near to one that a board does not take. */
function suggested(name: string): string {
  const parts = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[/\\]+/)
    .map((part) =>
      part
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/-+(?=\.|$)/g, "")
        .replace(/^[^A-Za-z0-9]+/, ""),
    )
    .filter((part) => part !== "");
  const whole = parts.join("/") || "file";
  if (whole.length <= longestFileName) return whole;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(whole)?.[0] ?? "";
  return `${whole.slice(0, longestFileName - ending.length).replace(/[/.-]+$/, "")}${ending}`;
}
