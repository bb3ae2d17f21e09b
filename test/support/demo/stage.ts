import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client, type Given } from "../../../src/client/client.ts";
import { startServer } from "../../../src/server/serve.ts";

/** A person or an agent of the play, who acts through the public API. */
export interface Actor extends Client {
  readonly name: string;
  readonly token: string;
}

type Post = NonNullable<Given<"postMessage">["body"]>;

/** A throw-away server whose clock the play moves, and what its actors do there. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Opens a server with nobody but its first person on it, in a folder that goes with it. */
export async function openStage(firstHandle: string, { port = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "service-demo-"));
  /** How far the server's clock is behind, in milliseconds. */
  let behind = 0;
  const server = await startServer({
    mode: "local",
    hostname: "127.0.0.1",
    port,
    firstHandle,
    keyName: `${firstHandle}-laptop`,
    dataFolder: join(folder, "data"),
    keyFile: join(folder, "key"),
    version: "0.1.0",
    rateScale: 0,
    log: (line) => console.error(line),
    database: { clock: () => new Date(Date.now() - behind) },
  });
  const { url } = server;
  const as = (token: string, name: string): Actor => ({
    ...createClient({ baseUrl: url, token }),
    name,
    token,
  });
  const first = as(readFileSync(join(folder, "key"), "utf8").trim(), firstHandle);

  return {
    url,
    first,
    as,
    /** Lets it be so many minutes before now. The clock never goes back. */
    ago(minutes: number): void {
      behind = Math.min(behind || Infinity, minutes * 60_000);
    },
    /** Lets it be now, for good. */
    now(): void {
      behind = 0;
    },
    /** Makes a person of the server. */
    async person(handle: string, display_name: string): Promise<Actor> {
      const { invite } = await first.call("createServerInvite", { body: {} });
      const body = { invite, handle, display_name, key_name: `${handle}-laptop` };
      const { key } = await createClient({ baseUrl: url }).call("connect", { body });
      if (!("token" in key)) throw new Error("a key without its secret");
      return as(key.token, handle);
    },
    /** Gives a person an agent on a board. */
    async agent(owner: Actor, board: string, name: string, harness: string, role = "member") {
      const body = { board, role, name, harness };
      const { token } = await owner.call("join", { body });
      return as(token, name);
    },
    /** Posts, and gives the message. */
    post: (from: Actor, board: string, text: string, more: Omit<Post, "body"> = {}) =>
      from.call("postMessage", { params: { board }, body: { body: text, ...more } }),
    /** A link that signs a browser in as somebody. */
    async link(person: Actor): Promise<string> {
      const { code } = await person.call("createLoginCode");
      return `${url}/#code=${code}`;
    },
    async stop(): Promise<void> {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
