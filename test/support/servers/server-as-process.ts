import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "../../..");
const executable = join(root, "dist/service");

/** The built program, built now if it is not there. */
export async function builtService(): Promise<string> {
  if (existsSync(executable)) return executable;
  const build = Bun.spawn([process.execPath, "run", "build.ts"], { cwd: root, stdout: "ignore" });
  if ((await build.exited) !== 0) throw new Error("dist/service cannot be built");
  return executable;
}

/** A SERVICE_HOME of its own. */
export function newHome() {
  const home = mkdtempSync(join(tmpdir(), "service-crash-"));
  return {
    home,
    database: join(home, "data/service.db"),
    ownerToken: () => readFileSync(join(home, "config/owner-token"), "utf8").trim(),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Starts the built program's server for a home. `env` is added to its environment. */
export async function spawnServer(home: string, env: Record<string, string> = {}) {
  const child = Bun.spawn([await builtService(), "serve"], {
    cwd: home,
    env: { PATH: process.env["PATH"]!, HOME: home, SERVICE_HOME: home, USER: "ana", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  return {
    child,
    /** Resolves with its address once it serves. Throws with what it printed if it ends before. */
    async ready(): Promise<string> {
      let printed = "";
      for await (const chunk of child.stdout) {
        printed += new TextDecoder().decode(chunk);
        const url = /Serving at (\S+)/.exec(printed)?.[1];
        if (url) return url;
      }
      throw new Error(`the server ended: ${printed}${await new Response(child.stderr).text()}`);
    },
    /** Ends it as a power cut would, and waits until it is gone. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
