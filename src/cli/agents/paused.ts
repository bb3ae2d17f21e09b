import { agentFlags, defineCommand } from "../frame/command.ts";
import { changeStatusLine } from "./status-line.ts";
import { statusLineFlags, lineTask, refuseBlank, untilTime } from "./status-line-words.ts";

export default defineCommand({
  summary: "Say until when an agent pauses",
  acts: "agent",
  args: {
    text: {
      type: "positional",
      quoted: true,
      description: "Why the agent pauses, in quotes; at most 120 characters.",
    },
    until: {
      type: "string",
      required: true,
      valueHint: "TIME",
      description:
        "When it is back: a time today such as `17:30`, or a duration such as `20m` or `2h`.",
    },
    ...statusLineFlags,
    ...agentFlags,
  },
  details:
    "Everyone on the board sees when the agent will be back. After that time it is shown as late. In a terminal, name your agent with `--as`.",
  examples: [['paused "Waiting for the build" --until 20m', "Say when you are back."]],
  seeAlso: ["working", "status"],
  run({ args, data: cli }) {
    const { text } = args;
    refuseBlank("paused", text);
    return changeStatusLine(cli, args, {
      kind: "paused",
      text,
      until: untilTime(cli.clock, args.until),
      ...lineTask(args),
    });
  },
});
