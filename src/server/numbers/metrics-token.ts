import { readFileSync, statSync } from "node:fs";
import { shellWord } from "../../contract/shell-word.ts";
import { StartRefused } from "../start-refused.ts";

/** Why a file cannot be read, by the code of the error. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};

/** The token in a file. Refuses one that could be guessed. */
export function tokenIn(file: string): string {
  const refused = (message: string) =>
    new StartRefused(
      "metrics_token_invalid",
      message,
      `Make one as the server's user, who alone can then read it: \`(umask 077; openssl rand -hex 32 > ${shellWord(file)})\``,
    );
  let token: string;
  try {
    token = readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code: cause = "", message } = error as NodeJS.ErrnoException;
    throw refused(
      `The token of --metrics cannot be read from ${file}: ${reasons[cause] ?? message}.`,
    );
  }
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token;
  throw refused(`${file} holds no token: at least 16 characters, without spaces, on one line.`);
}

/** Whether every user of this machine can read the file of a token. */
export const isReadByAll = (file: string): boolean =>
  ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o004) !== 0;
