import { shellWord } from "../../../contract/shell-word.ts";
import { builtInFile } from "../../../client/harnesses/built-in-files.ts";
import type { Cli } from "../../frame/cli.ts";
import { selfCommand } from "../../frame/program-name.ts";

/** This program as settings of harnesses name it: by its absolute path, so that they run no other one. */
export interface OwnProgram {
  /** The words that start it. */
  readonly words: readonly string[];
  /** These words as a shell takes them. */
  readonly text: string;
  /** What a hook's command begins with: the words, after the home that they are meant for. */
  readonly hookStart: string;
  readonly home: string | undefined;
}

export function ownProgram(cli: Pick<Cli, "env" | "system">): OwnProgram {
  const words = selfCommand(cli);
  const text = words.map(shellWord).join(" ");
  const home = cli.env["SERVICE_HOME"] || undefined;
  const hookStart = home ? `SERVICE_HOME=${shellWord(home)} ${text}` : text;
  return { words, text, hookStart, home };
}

/** The text of a file that runs inside a harness, for this program. Null in a checkout: such a file starts one path, not two words. */
export const textInside = ({ words, home }: OwnProgram, source: string): string | null =>
  words.length === 1 ? builtInFile(source, { program: words[0]!, home }) : null;
