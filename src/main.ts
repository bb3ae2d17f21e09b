import { runCli } from "./cli/run-cli.ts";
import { thisProcess } from "./cli/frame/this-process.ts";

const exitCode = await runCli(process.argv.slice(2), thisProcess(), {
  startServer: async (options) => (await import("./server/serve.ts")).startServer(options),
  recoverKey: async (options) => (await import("./server/recover-key.ts")).recoverKey(options),
  startDaemon: async (options) =>
    (await import("./daemon/start-own-daemon.ts")).startOwnDaemon(options),
});
process.exit(exitCode);
