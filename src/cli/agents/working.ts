import { agentFlags, defineCommand } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { changeStatusLine } from "./status-line.ts";
import { statusLineFlags, lineTask, refuseBlank } from "./status-line-words.ts";

export default defineCommand({
  summary: "Say what an agent is doing",
  acts: "agent",
  args: {
    text: {
      type: "positional",
      required: false,
      quoted: true,
      description: "What the agent is doing, in quotes; at most 120 characters.",
    },
    clear: { type: "boolean", description: "Remove the agent's status line." },
    ...statusLineFlags,
    ...agentFlags,
  },
  details:
    "Everyone on the board sees this status line beside the agent. It is not a message and wakes nobody. Starting a task sets it too, and closing the task removes it. In a terminal, `--as` sets it for your agent.",
  examples: [
    ['working "Fixing the parser"', "Say what you are doing."],
    ["working --clear", "Remove the status line."],
  ],
  seeAlso: ["paused", "status"],
  async run({ args, data: cli }) {
    const { text } = args;
    refuseBlank("working", text);
    if (args.clear && args.task !== undefined)
      throw usageError(
        "`--clear` removes the status line, whatever task it is about.",
        "Leave out `--task`.",
      );
    if ((text === undefined) !== args.clear)
      throw usageError(
        args.clear ? "`working` takes a text or `--clear`, not both." : "There is no text.",
        'Write `service working "TEXT"`, or `service working --clear`.',
      );
    return changeStatusLine(
      cli,
      args,
      text === undefined ? null : { kind: "working", text, ...lineTask(args) },
    );
  },
});
