import { provesFor } from "./support/capabilities.ts";
import { atWork, startClaudeCode } from "./support/claude-code.ts";
import { randomMomentsMs, tryRandomMoments } from "./support/random-moments.ts";

const proves = provesFor("@anthropic-ai/claude-code");

proves(
  "random",
  "messages and kills at random moments: each message is in a turn, and none is acknowledged before",
  async () => {
    const { session, ...there } = await atWork();
    let now = session;
    await tryRandomMoments({
      ...there,
      prompt: (text) => now.prompt(text),
      async killSession() {
        await now.terminal.kill("SIGKILL");
        now = await startClaudeCode(there.person, there.model, session.id);
      },
    });
  },
  randomMomentsMs,
);
