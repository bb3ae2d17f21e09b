import { afterAll } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { freePort } from "../servers/free-port.ts";
import type { Machine } from "./machine.ts";

const publicUrl = "https://board.example.org";

/**
 * Runs `serve` of a team's server on a machine, with its data in the folder `team` of its home, until it is stopped, at
 * the latest with the test that starts it. The machine's commands must be processes. Requests reach it as through its proxy.
 */
export async function serveTeam(machine: Machine, words: readonly string[] = []) {
  const data = join(machine.home, "team");
  const port = freePort();
  const serving = machine.start([
    "serve",
    "--public-url",
    publicUrl,
    "--data",
    data,
    "--listen",
    `127.0.0.1:${port}`,
    ...words,
  ]);
  afterAll(() => serving.kill("SIGTERM"));
  const welcome = await serving.saying("Stop with").catch(async () => {
    throw new Error((await serving.end()).stderr);
  });
  /** Sends a request for the public address over a connection of its own. */
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search, host } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("host", host);
    const body = request.body ? await request.arrayBuffer() : null;
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
      method: request.method,
      headers,
      redirect: "manual",
      ...(body && { body }),
    });
  };
  return {
    data,
    welcome,
    handle,
    url: publicUrl,
    keyFile: join(data, "admin-key"),
    /** The key in the file `admin-key`. */
    key: () => readFileSync(join(data, "admin-key"), "utf8").trim(),
    as: (token?: string): Client =>
      createClient({ baseUrl: publicUrl, ...(token && { token }), fetch: handle }),
    /** Stops it, and gives what it said. */
    async stop() {
      serving.kill("SIGTERM");
      return serving.end();
    },
  };
}
