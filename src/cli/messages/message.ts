import { asAgent } from "../acting/acting.ts";
import { agentFlags, defineCommand } from "../frame/command.ts";
import { messageId, readable } from "./message-reference.ts";
import { fetchingLine } from "./attached-text.ts";
import { header, messageBlock } from "./message-text.ts";
import { dim } from "../terminal/style.ts";
import { columns, counted } from "../terminal/table.ts";
import { typedWith } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Show a message and what its recipients have done with it",
  acts: "agent",
  args: {
    message: { type: "positional", valueHint: "MSG", description: "The message, such as 6." },
    ...agentFlags,
  },
  details: "A message, and what each agent that it was addressed to has done with it.",
  seeAlso: ["replies", "read"],
  async run({ args, data: cli }) {
    const agent = asAgent(cli, args);
    const { api, board } = agent;
    const params = { message: await messageId(agent, args.message) };
    const call = api.call("getMessage", { params });
    const status = await readable(agent, args.message, call);
    const rows = status.recipients.map(({ member, state, reply_ids }) => [
      `@${member.name}`,
      state,
      reply_ids.length > 1 ? counted(reply_ids.length, "reply", "replies") : "",
    ]);
    return {
      json: status,
      text: [
        header(board, `message #${status.message.seq}`),
        "",
        messageBlock(status.message, "agent"),
        ...fetchingLine([status.message], typedWith(cli, args)).map((line) => `\n${dim(line)}`),
        ...(rows.length ? ["", columns(rows)] : []),
      ].join("\n"),
    };
  },
});
