import { defineCommand } from "../frame/command.ts";
import { completionScript } from "../completion.ts";

export default defineCommand({
  summary: "Print a completion script for a shell",
  acts: "neutral",
  args: {
    shell: { type: "positional", options: ["bash", "zsh", "fish"], description: "The shell." },
  },
  details: "Write it to a file that your shell reads. It completes commands, flags and choices.",
  examples: [
    ["completion bash > ~/.local/share/bash-completion/completions/service", "For bash."],
    ["completion zsh > ~/.zfunc/_service", "For zsh, with ~/.zfunc in fpath."],
    ["completion fish > ~/.config/fish/completions/service.fish", "For fish."],
  ],
  async run({ args }) {
    const script = await completionScript(args.shell);
    return { json: { shell: args.shell, script }, text: script };
  },
});
