import { integer } from "../frame/values.ts";

/** A version's number, with or without a `v` before it. `least` is 0 where 0 means that there is no version yet. */
export const versionOf = (flag: "--version" | "--base", text: string, least = 1): number =>
  integer(flag, text.replace(/^v(?=\d)/, ""), least, 999_999_999);
