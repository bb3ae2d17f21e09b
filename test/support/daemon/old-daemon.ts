/** Runs a daemon that says it is of another build, for the home and version in its arguments. It delivers nothing. */
import { join } from "node:path";
import { claudeCode } from "../../../src/daemon/harnesses/claude-code.ts";
import { systemClock } from "../../../src/daemon/loop/clock.ts";
import { startDaemon } from "../../../src/daemon/start-daemon.ts";

const [home = "", version = ""] = process.argv.slice(2);
const folders = {
  config: join(home, "config"),
  data: join(home, "data"),
  state: join(home, "state"),
};
const ended = Promise.withResolvers<void>();
const daemon = await startDaemon({
  machine: { folders, system: { userId: process.getuid!(), homeFolder: () => home } },
  pid: process.pid,
  build: { version },
  harnesses: [claudeCode(folders, folders.config, systemClock)],
  clock: systemClock,
  gatherMs: 0,
  hasSeat: () => true,
  clientOf: () => {
    throw new Error("it reaches no server");
  },
  typed: (words) => words,
  personAt: () => null,
  saveSeat: () => {},
  isRunning: () => true,
  log: () => {},
  onStop: ended.resolve,
});
await ended.promise;
await daemon!.stop();
process.exit(0);
