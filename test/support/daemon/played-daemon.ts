import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildInfo } from "../../../src/client/build-info.ts";
import { daemonSocket } from "../../../src/client/machine/daemon-files.ts";
import {
  daemonProtocol,
  type DaemonAnswer,
  type DaemonStatus,
} from "../../../src/client/machine/daemon-wire.ts";

const idle: DaemonStatus = {
  pid: process.pid,
  build: buildInfo,
  open_sessions: 1,
  multi_seat: true,
  servers: [],
  agents: [],
  attention: [],
  stalled: [],
  bindings: [],
};

/** While `work` runs, answers every request at a home's control socket as a daemon in this state would, or with this refusal. */
export async function withPlayedDaemon<T>(
  home: string,
  state: Partial<DaemonStatus> | Pick<DaemonAnswer, "error">,
  work: () => Promise<T>,
): Promise<T> {
  const folders = { config: "", data: "", state: join(home, "state") };
  mkdirSync(folders.state, { recursive: true, mode: 0o700 });
  const unix = daemonSocket(folders, process.getuid?.());
  const said = "error" in state ? state : { status: { ...idle, ...state } };
  const answer = `${JSON.stringify({ v: daemonProtocol, ...said })}\n`;
  const listener = Bun.listen({
    unix,
    socket: { data: (connection) => void connection.write(answer) },
  });
  chmodSync(unix, 0o600);
  try {
    return await work();
  } finally {
    listener.stop(true);
  }
}
