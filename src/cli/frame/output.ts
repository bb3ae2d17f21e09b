import { isDiskFull } from "../../client/files/full-disk.ts";
import { withoutSecrets } from "../../contract/credentials.ts";
import type { Details, NextStep } from "../../contract/refusal.ts";
import { ApiError, Unreachable } from "../../client/client.ts";
import { escapedControls } from "../terminal/clean.ts";
import type { Cli } from "./cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Surroundings } from "./surroundings.ts";
import { mayColour, red, shown } from "../terminal/style.ts";

/** Writes text or an object to stdout. A reader that has gone away is no error: then it is false. */
export async function print(
  { env, stdout }: Surroundings,
  output: string | object,
): Promise<boolean> {
  const text =
    typeof output === "string"
      ? shown(output, () => mayColour(env, stdout))
      : escapedControls(JSON.stringify(output));
  return stdout.write(`${text}\n`);
}

/** Writes one line to stderr, at once. A reader that has gone away is no error. */
export function note({ env, stderr }: Surroundings, line: string): void {
  stderr.writeNow(`${shown(line, () => mayColour(env, stderr))}\n`);
}

/** A failure as every command prints it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** The command that the server suggests to the person. */
  readonly next?: NextStep;
  readonly details?: Details;
}

/** Prints a failure in the one shape and gives the exit code. */
export async function printFailure(
  cli: Surroundings & Pick<Cli, "json" | "typed">,
  error: unknown,
): Promise<number> {
  const failure = failureOf(error);
  const asText = () => note(cli, failureText(cli, failure));
  if (!cli.json) asText();
  // If stdout cannot be written, as on a full disk, the failure goes to stderr.
  else await print(cli, { error: failure }).catch(asText);
  return error instanceof LocalError ? error.exitCode : 1;
}

function failureText(cli: Pick<Cli, "typed">, { code, message, hint }: Failure): string {
  const [said, next] = [message, hint].map((text) => typedHere(cli, text));
  return `${red("Error")} (${code}): ${said}${next && `\nHint: ${next}`}`;
}

/** Replaces the commands in a message or hint with the forms that can be typed here. */
export const typedHere = (cli: Pick<Cli, "typed">, text: string): string =>
  text.replaceAll("`service ", `\`${cli.typed("")}`);

/** What any thrown value is shown as. Messages repeat what was typed; hints repeat it only as a command, which has to be whole. */
export function failureOf(error: unknown): Failure {
  const failure = shownAs(error);
  return { ...failure, message: withoutSecrets(failure.message) };
}

function shownAs(error: unknown): Failure {
  if (error instanceof LocalError || error instanceof ApiError) {
    const { code, message, hint, details } = error;
    const next = error instanceof ApiError ? error.next : undefined;
    return { code, message, hint, ...(next && { next }), ...(details && { details }) };
  }
  if (error instanceof Unreachable)
    return { code: "server_unreachable", message: error.message, hint: "Try again later." };
  const { message = String(error), code, hint, details } = error as Partial<Failure>;
  if (hint === undefined && isDiskFull(code))
    return {
      code: "disk_full",
      message: "The disk is full.",
      hint: "Make room, and run the command again.",
    };
  const isOddForm = hint === undefined && error instanceof TypeError;
  return {
    code: typeof hint === "string" && code ? code : "internal",
    message: isOddForm
      ? `What a server answered, or a file holds, has another form than this program expects (${message}).`
      : message,
    hint:
      hint ??
      (isOddForm
        ? "`service status` names the server that answers, and its version."
        : "Check the files and folders that the message names, then try again."),
    ...(typeof hint === "string" && details && { details }),
  };
}
