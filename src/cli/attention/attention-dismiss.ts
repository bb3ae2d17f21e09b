import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";

export default defineCommand({
  summary: "Take something off the list of what needs you",
  acts: "person",
  args: {
    item: { type: "positional", valueHint: "ID", description: "Its ID in `service attention`." },
    ...serverFlag,
  },
  details:
    "For what no act of yours ends, such as a mention or a silent agent. What waits for an answer of yours stays until you give it, and can be snoozed. A new cause shows it again.",
  examples: [["attention dismiss mention.msg_…", "You have seen it."]],
  seeAlso: ["attention", "attention snooze"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const item = await api.call("dismissAttention", { params: { item: args.item } });
    return { json: { server, item }, text: `Off your list: ${item.title}` };
  },
});
