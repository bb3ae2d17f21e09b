import { defineCommand } from "../frame/command.ts";
import { helpFor } from "../help.ts";

export default defineCommand({
  summary: "Explain the commands, or one of them",
  acts: "neutral",
  inSubagent: true,
  args: {
    command: {
      type: "positional",
      required: false,
      multiple: true,
      description: "The command, such as `board new`. Leave it out to list all commands.",
    },
  },
  run: ({ args, data: cli }) => helpFor(cli, args.command.join(" ")),
});
