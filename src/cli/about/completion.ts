import { usageError } from "../../client/machine/local-error.ts";
import { inSession } from "../../client/machine/harness.ts";
import { completionScript } from "../completion.ts";
import { defineCommand } from "../frame/command.ts";
import { liveNames, namesFor } from "../live-names.ts";

export default defineCommand({
  summary: "Print a completion script for a shell",
  acts: "neutral",
  startsNothing: true,
  args: {
    shell: {
      type: "positional",
      options: ["bash", "zsh", "fish", "names"],
      description: "The shell. `names` prints the values of a flag, for such a script.",
    },
    flag: {
      type: "positional",
      required: false,
      valueHint: "FLAG",
      description: `After \`names\`: ${liveNames.join(", ")}.`,
    },
  },
  details:
    'It completes commands, flags and choices, and the names of agents, boards and servers. One line turns it on: in ~/.bashrc `eval "$(service completion bash)"`, in ~/.zshrc after compinit `eval "$(service completion zsh)"`, in fish\'s config.fish `service completion fish | source`.',
  async run({ args, data: cli }) {
    if (args.shell !== "names") {
      if (args.flag !== undefined)
        throw usageError(`Unexpected argument: ${args.flag}.`, "A shell alone is enough.");
      const script = await completionScript(args.shell);
      return { json: { shell: args.shell, script }, text: script };
    }
    const flag = liveNames.find((name) => name === args.flag);
    if (flag === undefined)
      throw usageError("The flag is missing.", `One of ${liveNames.join(", ")}.`);
    // A session sees nothing of its person's boards.
    const names = inSession(cli.env) ? [] : await namesFor(cli, flag);
    return { json: { flag, names }, text: names.join("\n") };
  },
});
