import { speakingPlace } from "../acting/speaker.ts";
import { defineCommand, speakerFlags } from "../frame/command.ts";
import { boardIn, messageId, readable } from "./message-reference.ts";
import { fetchingLine } from "./attached-text.ts";
import { header, messageBlock } from "./message-text.ts";
import { dim } from "../terminal/style.ts";
import { columns, counted } from "../terminal/table.ts";

export default defineCommand({
  summary: "Show a message and what its recipients have done with it",
  acts: "speaker",
  args: {
    message: { type: "positional", valueHint: "MSG", description: "The message, such as 6." },
    ...speakerFlags,
  },
  details: "A message, and what each agent that it was addressed to has done with it.",
  seeAlso: ["replies", "read"],
  async run({ args, data: cli }) {
    const { actor, typed } = await speakingPlace(cli, args, {
      board: boardIn(args.message),
    });
    const { api } = actor;
    const params = { message: await messageId(actor, args.message) };
    const call = api.call("getMessage", { params });
    const status = await readable(actor, args.message, call);
    const rows = status.recipients.map(({ member, state, reply_ids }) => [
      `@${member.name}`,
      state,
      reply_ids.length > 1 ? counted(reply_ids.length, "reply", "replies") : "",
    ]);
    return {
      json: status,
      text: [
        header(status.message.board, `message #${status.message.seq}`),
        "",
        messageBlock(status.message, actor.kind),
        ...fetchingLine([status.message], typed).map((line) => `\n${dim(line)}`),
        ...(rows.length ? ["", columns(rows)] : []),
      ].join("\n"),
    };
  },
});
