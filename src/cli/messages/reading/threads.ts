import { listedUnlessSaid, mostListed } from "../../../contract/limits.ts";
import type { Speaker } from "../../acting/acting.ts";
import type { Answer } from "../../frame/command.ts";
import type { Operations } from "../../../contract/index.ts";
import type { Output } from "../../../contract/operation.ts";
import type { Typed } from "../../frame/suggest.ts";
import { header, messageBlock } from "../message-text.ts";
import type { Reader } from "../message-types.ts";
import { oneLine } from "../../terminal/clean.ts";
import { when } from "../../terminal/time-text.ts";
import { dim } from "../../terminal/style.ts";
import { counted } from "../../terminal/table.ts";
import { integer } from "../../frame/values.ts";
import type { ReadFlags } from "../read-form.ts";

type List = Output<Operations["listThreads"]>;

/** Lists the threads of a board, newest reply first. */
export async function readThreads(
  reader: Speaker,
  flags: ReadFlags,
  typed: Typed,
): Promise<Answer> {
  const { api, board, kind } = reader;
  const limit = integer("--limit", flags.limit ?? `${listedUnlessSaid}`, 1, mostListed);
  const params = { board };
  const [{ threads, more }, { policy }] = await Promise.all([
    api.call("listThreads", { params, query: { limit } }),
    api.call("getBoard", { params }),
  ]);
  return {
    json: { board, visibility: policy.visibility, threads, more },
    text: threads.length
      ? [
          header(board, counted(threads.length, "thread", "threads")),
          ...threads.map((thread) => threadText(thread, kind)),
          dim(`One of them: ${typed(`read --thread ${threads[0]!.root.seq}`)}`),
          ...(more
            ? [dim(`More: ${typed(`read --threads --limit ${Math.min(limit * 4, mostListed)}`)}`)]
            : []),
        ].join("\n\n")
      : `No threads on ${board} yet. ${typed('say "TEXT" --reply SEQ')} replies to a message.`,
  };
}

function threadText({ root, participants }: List["threads"][number], reader: Reader): string {
  const names = participants.map((name) => `@${oneLine(name)}`).join(", ");
  const last = root.last_reply_at ? `, last reply ${when(root.last_reply_at)}` : "";
  return `${messageBlock(root, reader)}\n  ${dim(`between ${names}${last}`)}`;
}
