import { provesFor } from "./support/capabilities.ts";
import { atWork, startOpencode } from "./support/opencode.ts";
import { randomMomentsMs, tryRandomMoments } from "./support/random-moments.ts";

const proves = provesFor("opencode-ai");

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
        await now.terminal.kill("SIGKILL");
        now = await startOpencode(there.person, there.model, "-s", id);
      },
    });
  },
  randomMomentsMs,
);
