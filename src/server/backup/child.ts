import { writeSync } from "node:fs";
import { giveWay } from "../../client/files/process.ts";
import type { CopyJob, CopyWord } from "../../backup/words-of-child.ts";
import { reasonOf } from "./reason.ts";
import { copyBackup } from "./copy-backup.ts";

/** The process that copies a backup for a server. It ends when the server's end of its input is closed. Gives the exit code. */
export async function runBackupChild(): Promise<number> {
  giveWay();
  const lines = linesOf(Bun.stdin.stream());
  const first = await lines.next();
  if (first.done) return 1;
  const job = JSON.parse(first.value) as CopyJob;
  const go = lines.next().then(({ done }) => {
    if (done) process.exit(1);
    void lines.next().then(() => process.exit(1));
  });
  const say = (word: CopyWord) => void writeSync(1, `${JSON.stringify(word)}\n`);
  try {
    await copyBackup(job, { say, go });
    return 0;
  } catch (error) {
    say({ is: "failed", ...reasonOf(error) });
    return 1;
  }
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}
