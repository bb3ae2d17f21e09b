import type { Cli } from "./cli.ts";
import { clean } from "../terminal/clean.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { inSession } from "../../client/machine/harness.ts";
import { againWithYes } from "./suggest.ts";

/** Whether a person can be asked: stdin and stdout are terminals, no JSON, no session. */
export const mayAsk = (cli: Cli): boolean =>
  cli.stdin.isTerminal() && cli.stdout.isTerminal() && !cli.json && !inSession(cli.env);

/** Asks whether to go on. No answer means no. Refuses with a hint of `--yes` where nobody can be asked. */
export const confirmed = (cli: Cli, question: string): boolean =>
  /^y(es)?$/i.test(answerTo(cli, question, "[y/N]"));

/** Asks the person to type a word before something final. Any other answer means no. Refuses where `confirmed` does. */
export const wordTyped = (cli: Cli, question: string, word: string): boolean =>
  answerTo(cli, question, `Type ${clean(word)} to go on:`) === word;

function answerTo(cli: Cli, question: string, how: string): string {
  if (!mayAsk(cli))
    throw new LocalError("confirmation_required", question, `To go on: ${againWithYes(cli)}`);
  return cli.stdin.ask(`${clean(question)} ${how}`)?.trim() ?? "";
}

/** Asks for a text. Gives the fallback for an empty answer, and where nobody can be asked. */
export const askFor = (cli: Cli, what: string, fallback: string): string =>
  mayAsk(cli) ? cli.stdin.ask(`${what}:`, fallback || undefined)?.trim() || fallback : fallback;
