import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { askDaemon } from "../../../src/client/machine/daemon-client.ts";
import { freePort } from "../servers/free-port.ts";
import { builtService, newHome, spawnServer } from "../servers/server-as-process.ts";

/** A process that is killed and started again. `up` resolves once it answers. */
interface Kept {
  up: Promise<unknown>;
  /** Ends it as a power cut would, and starts the next one after a pause. */
  kill(pauseMs: number): Promise<void>;
}

/** The built program in a home of its own: a server, and a daemon that gathers for so long. Both are processes. */
export async function startProcesses(gatherMs: number) {
  const { home, ownerToken, remove } = newHome();
  const machine = {
    folders: { config: join(home, "config"), data: join(home, "data"), state: join(home, "state") },
    system: { userId: process.getuid!(), homeFolder: () => home },
  };
  const address = `127.0.0.1:${await freePort()}`;
  const env = { SERVICE_LOCAL_ADDR: address, SERVICE_RATE_SCALE: "0" };
  const program = await builtService();
  const children = new Set<Bun.Subprocess>();
  const state = { isOver: false };

  async function startServer(): Promise<Bun.Subprocess> {
    const { child, ready } = await spawnServer(home, env);
    children.add(child);
    await ready();
    return child;
  }
  async function startDaemon(): Promise<Bun.Subprocess> {
    const child = Bun.spawn([program, "daemon"], {
      cwd: home,
      env: {
        PATH: process.env["PATH"]!,
        HOME: home,
        SERVICE_HOME: home,
        USER: "ana",
        ...env,
        SERVICE_GATHER_MS: String(gatherMs),
      },
      stdio: ["ignore", "ignore", Bun.file(join(home, "daemon.log"))],
    });
    children.add(child);
    while (!state.isOver && (await askDaemon(machine, { op: "status" }).catch(() => null)) === null)
      await Bun.sleep(10);
    return child;
  }
  function kept(start: () => Promise<Bun.Subprocess>): Kept {
    let child = start();
    const own: Kept = {
      up: child,
      async kill(pauseMs) {
        const last = await child;
        last.kill("SIGKILL");
        await last.exited;
        children.delete(last);
        child = Bun.sleep(pauseMs).then(start);
        own.up = child;
        await child;
      },
    };
    return own;
  }
  const server = kept(startServer);
  await server.up;
  const owner = createClient({ baseUrl: `http://${address}`, token: ownerToken() });
  return {
    machine,
    home,
    owner,
    server,
    url: `http://${address}`,
    /** Starts the daemon, which has the seats. */
    daemon(seats: readonly { board: string; name: string; member_id: string; token: string }[]) {
      const saved = seats.map((seat) => ({ server: "local", ...seat }));
      const file = join(machine.folders.config, "credentials.json");
      writeFileSync(file, JSON.stringify(saved), { mode: 0o600 });
      return kept(startDaemon);
    },
    as: (token: string): Client => createClient({ baseUrl: `http://${address}`, token }),
    async stop() {
      state.isOver = true;
      for (const child of children) child.kill("SIGKILL");
      await Promise.all([...children].map(({ exited }) => exited));
      remove();
    },
  };
}
