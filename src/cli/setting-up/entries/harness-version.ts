import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import type { Cli } from "../../frame/cli.ts";

const longestMs = 10_000;

/** What a program prints, and its exit code; null when there is no such program, or when it does not end in time. */
export async function outputOf(
  cli: Cli,
  command: readonly string[],
): Promise<{ readonly text: string; readonly code: number } | null> {
  const talk = cli.system.converse(command, { cwd: cli.cwd, env: cli.env });
  if (talk === null) return null;
  let isLate = false;
  const cancel = cli.clock.after(longestMs, () => {
    isLate = true;
    talk.end();
  });
  talk.endInput();
  const text = await textOf(talk.output);
  const code = await talk.exited;
  cancel();
  return isLate ? null : { text, code };
}

/** The first line that a program answers to a line, when it gets this environment besides. Null if it gives none in time. */
export async function answerOf(
  cli: Cli,
  given: {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly line: string;
  },
): Promise<string | null> {
  const env = { ...cli.env, ...given.env };
  const talk = cli.system.converse(given.command, { cwd: cli.cwd, env });
  if (talk === null) return null;
  const cancel = cli.clock.after(longestMs, () => talk.end());
  try {
    talk.say(`${given.line}\n`);
    return await firstLine(talk.output);
  } finally {
    cancel();
    talk.end();
    await talk.exited;
  }
}

async function firstLine(output: AsyncIterable<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of output) {
    text += decoder.decode(bytes, { stream: true });
    const end = text.indexOf("\n");
    if (end !== -1) return text.slice(0, end);
  }
  return null;
}

async function textOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of output) text += decoder.decode(bytes, { stream: true });
  return text;
}

/** What is known of the program of a harness. */
export interface Installed {
  /** Whether its program is on the PATH. */
  readonly isThere: boolean;
  /** Null if it does not say one that can be read. */
  readonly version: string | null;
}

/** Asks the program of a harness for its version. */
export async function installedVersion(cli: Cli, { checks }: HarnessProfile): Promise<Installed> {
  const said = await outputOf(cli, checks.installed);
  const isThere = said !== null || onPath(cli, checks.installed[0]!);
  const version = said?.code === 0 ? /\d+\.\d+\.\d+/.exec(said.text)?.[0] : undefined;
  return { isThere, version: version ?? null };
}

/** Whether a program is on the PATH. */
export const onPath = (cli: Pick<Cli, "env">, command: string): boolean =>
  Bun.which(command, { PATH: cli.env["PATH"] ?? "" }) !== null;
