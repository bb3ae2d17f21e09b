import { startWorld, type World } from "./server-in-process.ts";
import { afterAll } from "bun:test";
import { newMachine } from "../commands/machine.ts";

/** Answers a request in the server's place, or lets the server answer. */
type Between = (request: Request, answer: () => Promise<Response>) => Promise<Response>;

export interface ClockedServer {
  readonly url: string;
  /** The server itself: its clock, and clients that need no program. */
  readonly world: World;
  /** Stands between the program and the server from now on. */
  between: Between;
  /** Ends it before the test does. */
  end(): Promise<void>;
}

/**
 * A server in the test's own process that the program reaches over a port, and whose clock the test moves. It ends with
 * the test that starts it, or with the file or `describe` that starts it for all of its tests; never start one in `beforeAll`.
 */
export async function clockedServer(): Promise<ClockedServer> {
  const listener = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) => server.between(request, async () => server.world.handle(request)),
  });
  const url = `http://127.0.0.1:${listener.port}`;
  const world = await startWorld({ url });
  const server: ClockedServer = {
    url,
    world,
    between: (_, answer) => answer(),
    end: () => listener.stop(true),
  };
  afterAll(server.end);
  return server;
}

/** What a proxy says whose server is not there. */
export const badGateway = () => new Response("Bad Gateway", { status: 502 });

/** A clocked server, and another machine there: it has the server's key, and the agent rex on the new board plans. */
export async function rexOnPlans() {
  const other = newMachine();
  const server = await clockedServer();
  await other.ok(["login", server.url], { stdin: server.world.admin.token });
  await other.ok(["pair", "--board", "plans", "--name", "rex", "--server", server.url]);
  return { other, server };
}

/** Stands before a server as if it had these features and no others. */
export const withFeatures =
  (features: readonly string[]): Between =>
  async (request, answer) => {
    if (new URL(request.url).pathname !== "/v1/info") return answer();
    return Response.json({ ...(await (await answer()).json()), features });
  };
