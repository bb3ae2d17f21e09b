import { afterAll } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { freePort } from "../servers/free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const main = resolve(import.meta.dir, "../../../src/main.ts");

/** A server as a process of its own that a test kills and starts again, at the same address and with the same data. */
export interface KillableServer {
  readonly url: string;
  /** The first person, ana. */
  readonly ana: Client;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts such a server. It ends with the file that starts it; never start one in `beforeAll`. */
export async function killableServer(): Promise<KillableServer> {
  const home = temporaryFolder(() => kill());
  const address = `127.0.0.1:${freePort()}`;
  const url = `http://${address}`;
  let child: Bun.Subprocess<"ignore", "pipe", "inherit"> | undefined;

  async function start(): Promise<void> {
    child = Bun.spawn([process.execPath, main, "serve"], {
      cwd: home,
      env: {
        PATH: process.env["PATH"]!,
        HOME: home,
        SERVICE_HOME: home,
        SERVICE_LOCAL_ADDR: address,
        USER: "ana",
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += new TextDecoder().decode(chunk);
      if (/Serving at/.test(printed)) return;
    }
    throw new Error(`the server ended: ${printed}`);
  }

  async function kill(): Promise<void> {
    child?.kill("SIGKILL");
    await child?.exited;
  }
  await start();
  afterAll(kill);
  const token = readFileSync(join(home, "config/owner-token"), "utf8").trim();
  return { url, ana: createClient({ baseUrl: url, token }), kill, start };
}
