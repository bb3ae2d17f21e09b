import { runCli } from "./cli/run-cli.ts";

const exitCode = await runCli(process.argv.slice(2), {
  startServer: async (options) => (await import("./server/serve.ts")).startServer(options),
});
process.exit(exitCode);
