import type { Cli } from "./cli.ts";

/** Reads a secret from standard input: a line typed without echo at a terminal, else the whole piped input. */
export async function readSecret({ stdin, system }: Cli, question: string): Promise<string> {
  if (!stdin.isTerminal()) return new TextDecoder().decode(await stdin.bytes()).trim();
  const typed = await stdin.askSecret(question);
  if (typed === null) return system.exit(130);
  return typed.trim();
}
