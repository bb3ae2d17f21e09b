import { quietApiOf, type Actor } from "../acting/acting.ts";
import { speakingPlace } from "../acting/speaker.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, speakerFlags } from "../frame/command.ts";
import { boardIn, messageId, readable, shownReference } from "./message-reference.ts";
import { header, messageBlocks } from "./message-text.ts";
import { threadOf } from "./thread-of.ts";
import { counted } from "../terminal/table.ts";
import { words } from "../frame/suggest.ts";
import { untilSome, waitSeconds } from "../connection/waiting.ts";

export default defineCommand({
  summary: "Read the replies to a message, or wait for one",
  acts: "speaker",
  args: {
    message: { type: "positional", valueHint: "MSG", description: "The message, such as 6." },
    wait: {
      type: "string",
      valueHint: "SECONDS",
      description: "Wait for the first reply, at most an hour.",
    },
    ...speakerFlags,
  },
  details: "The replies of a message's thread, oldest first. Nothing counts as received by it.",
  seeAlso: ["say", "message", "read"],
  async run({ args, data: cli }) {
    const seconds = args.wait === undefined ? 0 : waitSeconds("--wait", args.wait);
    const { actor, typed } = await speakingPlace(cli, args, {
      board: boardIn(args.message),
    });
    const id = await messageId(actor, args.message);
    const now = await readable(actor, args.message, threadOf(actor.api, id));
    const waits = seconds > 0 && now.replies.length === 0;
    const replies = waits ? await nextReplies(cli, actor, id, seconds) : now.replies;
    const to = shownReference(args.message);
    return {
      json: { message_id: id, replies, timed_out: seconds > 0 && replies.length === 0 },
      text: replies.length
        ? `${header(replies[0]!.board, `${counted(replies.length, "reply", "replies")} to ${to}`)}\n\n${messageBlocks(replies, actor.kind)}`
        : `No replies to ${to}${seconds ? ` within ${counted(seconds, "second", "seconds")}` : " yet"}. ${typed(words`replies ${args.message} --wait 60`)} waits for one.`,
    };
  },
});

async function nextReplies(cli: Cli, actor: Actor, id: string, seconds: number) {
  const api = quietApiOf(cli, actor);
  const found = await untilSome(cli.clock, seconds, async (wait) => {
    const { replies } = await threadOf(api, id, wait);
    return replies.length ? replies : null;
  });
  return found ?? [];
}
