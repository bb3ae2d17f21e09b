import { provesFor } from "./support/capabilities.ts";
import { atWork, killServer, startCodex } from "./support/codex.ts";
import { randomMomentsMs, tryRandomMoments } from "./support/random-moments.ts";

const proves = provesFor("@openai/codex");

proves(
  "random",
  "messages and kills at random moments: each message is in a turn, and none is acknowledged before",
  async () => {
    const { session, id, ...there } = await atWork();
    let now = session;
    await tryRandomMoments({
      ...there,
      prompt: (text) => now.prompt(text),
      async killSession() {
        killServer(there.person);
        await now.terminal.kill("SIGKILL");
        now = await startCodex(there.person, there.model, ["resume", id]);
      },
    });
  },
  randomMomentsMs,
);
