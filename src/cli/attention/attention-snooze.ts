import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { duration } from "../frame/values.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { when } from "../terminal/time-text.ts";

export default defineCommand({
  summary: "Hide something that needs you for a while",
  acts: "person",
  args: {
    item: { type: "positional", valueHint: "ID", description: "Its ID in `service attention`." },
    for: {
      type: "string",
      valueHint: "TIME",
      description: "For how long, such as `30m`, `2h` or `7d`, at most 30 days.",
    },
    off: { type: "boolean", description: "Show it again now." },
    ...serverFlag,
  },
  details: "It comes back by itself, unless its cause has ended by then.",
  examples: [["attention snooze ask.msg_… --for 2h", "Show it again in two hours."]],
  seeAlso: ["attention", "attention dismiss"],
  async run({ args, data: cli }) {
    if (args.off === (args.for !== undefined))
      throw usageError("Say for how long, or `--off`.", "Add `--for 2h`, or `--off` alone.");
    const params = { item: args.item };
    const seconds = args.for === undefined ? 0 : duration("--for", args.for, "1s", "30d");
    const { api, server } = await asPerson(cli, args);
    if (args.off) {
      const item = await api.call("endSnooze", { params });
      return { json: { server, item }, text: `It is on your list again: ${item.title}` };
    }
    // A little less than the longest time, because the server's clock may be behind.
    const until = new Date(cli.clock.now() + Math.min(seconds, longest) * 1000).toISOString();
    const item = await api.call("snoozeAttention", { params, body: { until } });
    return { json: { server, item }, text: `Hidden until ${when(until)}: ${item.title}` };
  },
});

const longest = 30 * 86_400 - 60;
