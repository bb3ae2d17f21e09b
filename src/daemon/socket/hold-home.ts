import { closeSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFolder } from "../../client/files/private-file.ts";
import {
  daemonLock,
  daemonPid,
  daemonSocket,
  isShared,
} from "../../client/machine/daemon-files.ts";
import type { DaemonStatus } from "../../client/machine/daemon-wire.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Machine } from "../../client/machine/machine.ts";
import { writePrivate } from "../../client/machine/private-files.ts";
import { lockWhole } from "./c-library.ts";

type Home = Pick<Machine, "folders" | "system">;

/** What the only daemon of a home holds while it lives. */
export interface HeldHome {
  /** The path of the control socket. No other process listens there. */
  readonly socket: string;
  release(): void;
}

/**
 * Makes this process the only daemon of its home. Null if another process is it. The system frees the lock when this
 * process ends in any way. Refuses a folder that other users can enter.
 */
export function holdHome(
  { folders, system }: Home,
  pid: number,
  { version, commit_time = "" }: DaemonStatus["build"],
): HeldHome | null {
  const socket = daemonSocket(folders, system.userId);
  for (const folder of [folders.state, dirname(socket)]) {
    makePrivateFolder(folder);
    refuseShared(folder, system.userId);
  }
  const lock = openSync(daemonLock(folders), "a", 0o600);
  if (!lockWhole(lock)) {
    closeSync(lock);
    return null;
  }
  // A daemon that was killed left its socket. Nobody listens there, since we have the lock.
  rmSync(socket, { force: true });
  writePrivate(daemonPid(folders), `${pid}\n${version} ${commit_time}\n`);
  return {
    socket,
    release() {
      rmSync(socket, { force: true });
      rmSync(daemonPid(folders), { force: true });
      closeSync(lock);
    },
  };
}

function refuseShared(folder: string, own: number | undefined): void {
  if (!isShared(folder, own)) return;
  throw new LocalError(
    "daemon_not_running",
    `Other users can enter ${folder}, where the daemon's socket must be.`,
    `Close it to them: \`chmod 700 ${folder}\``,
  );
}
