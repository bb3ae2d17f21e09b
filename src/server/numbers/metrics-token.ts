import { readFileSync } from "node:fs";
import { StartRefused } from "../start-refused.ts";

/** The token in a file. Refuses one that could be guessed. */
export function tokenIn(file: string): string {
  let token: string;
  try {
    token = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw refused(`The token of --metrics cannot be read: ${(error as Error).message}.`);
  }
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token;
  throw refused(`${file} holds no token: at least 16 characters, without spaces, on one line.`);
}

const refused = (message: string) =>
  new StartRefused(
    "metrics_token_invalid",
    message,
    "Make one that the server's user alone can read: `(umask 077; openssl rand -hex 32 > FILE)`",
  );
