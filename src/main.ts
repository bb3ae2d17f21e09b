import { runCli } from "./cli/run-cli.ts";
import { childWord } from "./backup/words-of-child.ts";
import { thisProcess } from "./cli/frame/this-process.ts";

const own = thisProcess();
const offline = () => import("./server/offline/offline.ts");

async function run(): Promise<number> {
  // A server starts this program to copy a backup: that is no command of a person.
  if (process.argv[2] === childWord)
    return (await import("./server/backup/child.ts")).runBackupChild();
  return runCli(process.argv.slice(2), own, {
    startServer: async (options) => (await import("./server/serve.ts")).startServer(options),
    recoverKey: async (options) => (await import("./server/recover-key.ts")).recoverKey(options),
    offline: {
      verifyBackup: async (...given) => (await offline()).verifyBackup(...given),
      restoreBackup: async (input) => (await offline()).restoreBackup(input),
      checkStorage: async (...given) => (await offline()).checkStorage(...given),
      backUpStopped: async (input) => (await offline()).backUpStopped(input),
    },
    startDaemon: async (options) =>
      (await import("./daemon/start-own-daemon.ts")).startOwnDaemon(options),
  });
}

// Were this awaited here, what the commands load could not be in one piece with this module.
void run().then(async (exitCode) => {
  await own.stderr.written();
  process.exit(exitCode);
});
