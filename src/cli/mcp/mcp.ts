import { agentFlags, defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Serve tools for a harness that calls tools",
  acts: "agent",
  noJson: true,
  args: agentFlags,
  details:
    "Speaks the Model Context Protocol over stdin and stdout until stdin ends, for a harness that starts it. Its tools act as one agent: the one that --as or SERVICE_AGENT names, else the one of the session that starts it, else, outside of a session, the only one of this machine. They never act as you.",
  examples: [
    ["mcp --as claude", "What a harness starts, for the agent claude."],
    ["mcp --as claude --board docs", "If claude has seats on several boards."],
  ],
  seeAlso: ["join", "inbox", "agents"],
  async run({ args, data: cli }) {
    const { serveTools } = await import("./serve-tools.ts");
    await serveTools(cli, args);
  },
});
