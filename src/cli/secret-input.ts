import { isTerminal } from "./terminal.ts";

/** Reads a secret from standard input: a line typed without echo at a terminal, else all that is piped in. */
export async function readSecret(question: string): Promise<string> {
  if (!isTerminal(0)) return (await Bun.stdin.text()).trim();
  process.stderr.write(question);
  process.stdin.setRawMode(true);
  const typed = await typedLine();
  process.stdin.setRawMode(false);
  process.stderr.write("\n");
  if (typed === null) process.exit(130);
  return typed.trim();
}

/** What is typed up to the end of the line, or null when it is interrupted. */
async function typedLine(): Promise<string | null> {
  let typed = "";
  for await (const chunk of process.stdin)
    for (const character of String(chunk)) {
      if (character === "\r" || character === "\n" || character === "\x04") return typed;
      if (character === "\x03") return null;
      const erases = character === "\x7f" || character === "\b";
      typed = erases ? typed.slice(0, -1) : typed + character;
    }
  return typed;
}
