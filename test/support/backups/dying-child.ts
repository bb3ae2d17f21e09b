/** The process that copies a backup, killed when it has said the word that is named: `start` is before its first word. */
import type { CopyWord } from "../../../src/backup/words-of-child.ts";
import { copyBackup } from "../../../src/server/backup/copy-backup.ts";

const step = process.argv[2];
const die = () => process.kill(process.pid, "SIGKILL");
const [first = ""] = (await new Response(Bun.stdin.stream().pipeThrough(firstLine())).text()).split(
  "\n",
);
if (step === "start") die();
await copyBackup(JSON.parse(first), {
  say(word: CopyWord) {
    require("node:fs").writeSync(1, `${JSON.stringify(word)}\n`);
    if (word.is === step) die();
  },
  go: Promise.resolve(),
});

/** Passes the first chunk on, and ends. */
function firstLine() {
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      controller.terminate();
    },
  });
}
