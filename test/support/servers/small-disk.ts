import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "bun:test";

/** A disk in memory. It goes with the file that makes it. Only root can mount one. */
export interface SmallDisk {
  readonly path: string;
  /** Fills it until so many bytes are free, in whole pages of 4 KiB. */
  fill(leaving: number): void;
  /** Gives the room back that `fill` took. */
  makeRoom(): void;
}

/** Mounts a disk of so many bytes. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "service-disk-"));
  run("mount", "-t", "tmpfs", "-o", `size=${bytes},nr_inodes=0`, "tmpfs", path);
  afterAll(() => {
    run("umount", path);
    rmSync(path, { recursive: true });
  });
  const ballast = join(path, "ballast");
  const makeRoom = () => rmSync(ballast, { force: true });
  return {
    path,
    makeRoom,
    fill(leaving) {
      makeRoom();
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - leaving)));
    },
  };
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}
