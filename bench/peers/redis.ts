import { freePort, start, stop } from "../processes.ts";
import { body } from "../raw.ts";
import { listening, printed, type Peer } from "./peer.ts";

/** Redis, which syncs its file before it answers. */
export const redis: Peer = {
  name: "Redis stream",
  promise:
    "XADD of 200 characters to a stream, `appendfsync always`: synced before the answer, together with others of the moment. No digest, no rules.",
  needs: [
    { program: "redis-server", package: "redis-server" },
    { program: "redis-benchmark", package: "redis-tools" },
  ],
  async start(folder) {
    const free = freePort();
    const port = String(free);
    const child = start([
      "redis-server",
      "--bind",
      "127.0.0.1",
      "--port",
      port,
      "--dir",
      folder,
      "--appendonly",
      "yes",
      "--appendfsync",
      "always",
      "--save",
      "",
      "--logfile",
      "redis.log",
    ]);
    const tool = ["redis-benchmark", "-h", "127.0.0.1", "-p", port, "--csv"];
    const requests = async (connections: number, count: number): Promise<number> => {
      const words = ["-c", String(connections), "-n", String(count), "XADD", "board", "*", "body"];
      const lines = (await printed([...tool, ...words, body])).trim().split("\n");
      // "test","rps",… and a line for the one test that ran.
      const rate = Number(lines.at(-1)?.split('","')[1]);
      if (!(rate > 0)) throw new Error(`redis-benchmark printed no rate: ${lines.join(" ")}`);
      return rate;
    };
    // Before that its load generator tries for ever, on a whole processor.
    await listening(free);
    return {
      // It counts requests and no time.
      async rate(connections, seconds) {
        const near = await requests(connections, 2000);
        return requests(connections, Math.ceil(near * seconds));
      },
      stop: () => stop(child),
    };
  },
};
