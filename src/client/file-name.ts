import { fileNameForm } from "../contract/forms.ts";
import { longestFileName } from "../contract/limits.ts";

const form = new RegExp(fileNameForm);

/** Whether a board takes a name: then it leads nowhere but below the folder that it is taken in. */
export const isBoardName = (name: string): boolean =>
  form.test(name) && name.length <= longestFileName;

/** A name that a board takes, near to one that it does not take. */
export function nearBoardName(name: string): string {
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
