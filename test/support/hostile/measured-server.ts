import { join } from "node:path";
import { freePort } from "../servers/free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Where the clients of the server believe that it is. */
export const publicUrl = "https://boards.example";

/** Bytes that a server's process holds, measured after a collection. */
export interface Memory {
  readonly rss: number;
  readonly heap: number;
}
/** What the process of a server is asked to do: move its clock on, sweep, and measure its memory. */
export interface Asked {
  readonly pass?: number;
}
/** What it says: first the first person's key, then what it measured. */
export interface Told {
  readonly key?: string;
  readonly memory?: Memory;
}

/** How a server is started. */
export interface Settings {
  /** Multiplies the rate limits; they are off unless said. */
  readonly rateScale?: number;
  /** How many characters the caches of the log hold, if not as many as usual. */
  readonly cachedCharacters?: number;
  /** Keeps a thousand characters for each request for ever, to show that it is found. */
  readonly leaks?: boolean;
}

/** A team's server in a process of its own. It ends with the test that starts it. */
export async function startMeasured(settings: Settings = {}) {
  const folder = temporaryFolder(() => stop());
  const port = await freePort();
  const log = join(folder, "log");
  let heard = Promise.withResolvers<Told>();
  const next = async (): Promise<Told> => {
    const ended = child.exited.then(async (code) => {
      throw new Error(`the server ended with ${code}: ${await Bun.file(log).text()}`);
    });
    const told = await Promise.race([heard.promise, ended]);
    heard = Promise.withResolvers();
    return told;
  };
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "server.ts"),
      folder,
      `${port}`,
      JSON.stringify(settings),
    ],
    {
      env: { PATH: process.env["PATH"]!, HOME: folder },
      stdio: ["ignore", "inherit", Bun.file(log)],
      ipc: (told) => heard.resolve(told as Told),
    },
  );
  const { key } = await next();
  const stop = () => {
    child.kill("SIGKILL");
    return child.exited;
  };
  return {
    port,
    stop,
    url: publicUrl,
    /** Sends it a request, as a proxy before it would. */
    handle(request: Request, options: { keepalive?: boolean } = {}): Promise<Response> {
      const { pathname, search } = new URL(request.url);
      const { method, headers, body, signal } = request;
      headers.set("host", new URL(publicUrl).host);
      const address = `http://127.0.0.1:${port}${pathname}${search}`;
      return fetch(address, { method, headers, body, signal, redirect: "manual", ...options });
    },
    key: key!,
    /** File with what it logged. */
    log,
    /** Whether its process is there. */
    runs: () => child.exitCode === null && child.signalCode === null,
    /** Moves its clock by so many seconds, sweeps, and measures its memory after a collection. */
    async measure(pass = 0): Promise<Memory> {
      child.send({ pass } satisfies Asked);
      return (await next()).memory!;
    },
  };
}
export type Measured = Awaited<ReturnType<typeof startMeasured>>;
