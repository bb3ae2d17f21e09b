import { asAgent, type Agent } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { agentFlags, defineCommand } from "../frame/command.ts";
import { messageId, readable, shownReference } from "./message-reference.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { header, messageBlocks } from "./message-text.ts";
import { threadOf } from "./thread-of.ts";
import { counted } from "../terminal/table.ts";
import { typedWith, words } from "../frame/suggest.ts";
import { untilSome, waitSeconds } from "../connection/waiting.ts";

export default defineCommand({
  summary: "Read the replies to a message, or wait for one",
  acts: "agent",
  args: {
    message: { type: "positional", valueHint: "MSG", description: "The message, such as 6." },
    wait: {
      type: "string",
      valueHint: "SECONDS",
      description: "Wait for the first reply, at most an hour.",
    },
    ...agentFlags,
  },
  details: "The replies of a message's thread, oldest first. Nothing counts as received by it.",
  seeAlso: ["say", "message", "read"],
  async run({ args, data: cli }) {
    const seconds = args.wait === undefined ? 0 : waitSeconds("--wait", args.wait);
    const agent = asAgent(cli, args);
    const id = await messageId(agent, args.message);
    const now = await readable(agent, args.message, threadOf(agent.api, id));
    const waits = seconds > 0 && now.replies.length === 0;
    const replies = waits ? await nextReplies(cli, agent, id, seconds) : now.replies;
    const typed = typedWith(cli, args);
    const to = shownReference(args.message);
    return {
      json: { message_id: id, replies, timed_out: seconds > 0 && replies.length === 0 },
      text: replies.length
        ? `${header(agent.board, `${counted(replies.length, "reply", "replies")} to ${to}`)}\n\n${messageBlocks(replies, "agent")}`
        : `No replies to ${to}${seconds ? ` within ${counted(seconds, "second", "seconds")}` : " yet"}. ${typed(words`replies ${args.message} --wait 60`)} waits for one.`,
    };
  },
});

async function nextReplies(cli: Cli, { server, seat }: Agent, id: string, seconds: number) {
  const api = quietApi(cli, server, seat.token);
  const found = await untilSome(cli.clock, seconds, async (wait) => {
    const { replies } = await threadOf(api, id, wait);
    return replies.length ? replies : null;
  });
  return found ?? [];
}
