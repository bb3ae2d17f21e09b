import { resolve } from "node:path";
import type { Machine } from "./machine.ts";

const main = resolve(import.meta.dir, "../../../src/main.ts");

/** What is shown after the command has ended: a terminal may show its last words after its exit. */
const last = "[the command has ended]";

/** Runs a command at a terminal, types `answer` when `question` is on the screen, and gives all that was shown. */
export async function atTerminal(
  { home, env }: Machine,
  words: string[],
  question: string,
  answer: string,
): Promise<{ code: number; screen: string }> {
  let screen = "";
  let asked = () => {};
  let shown = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const allShown = new Promise<void>((resolve) => (shown = resolve));
  const terminal = new Bun.Terminal({
    cols: 500,
    data(_, bytes) {
      screen += new TextDecoder().decode(bytes);
      if (screen.includes(question)) asked();
      if (screen.includes(last)) shown();
    },
  });
  const script = `"$0" "$@"; code=$?; echo "${last}"; exit $code`;
  const child = Bun.spawn(["sh", "-c", script, process.execPath, main, ...words], {
    cwd: home,
    env: { ...env, NO_COLOR: "1", TERM: "dumb" },
    terminal,
  });
  const early = Promise.all([child.exited, allShown]).then(() => "ended");
  if ((await Promise.race([isAsked, early])) === "ended")
    throw new Error(`${words.join(" ")} asked nothing: ${screen}`);
  terminal.write(`${answer}\n`);
  const code = await child.exited;
  await allShown;
  terminal.close();
  if (screen.includes("undefined")) throw new Error(`what is shown has a gap: ${screen}`);
  return { code, screen: screen.slice(0, screen.indexOf(last)) };
}
