import { startWorld, type World } from "./server-in-process.ts";

/** Answers a request in the server's place, or lets the server answer. */
type Between = (request: Request, answer: () => Promise<Response>) => Promise<Response>;

export interface ClockedServer {
  readonly url: string;
  /** The server itself: its clock, and clients that need no program. */
  readonly world: World;
  /** Stands between the program and the server from now on. */
  between: Between;
  end(): Promise<void>;
}

/** A server in the test's own process that the program reaches over a port, and whose clock the test moves. */
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
    async end() {
      await listener.stop(true);
      world.stop();
    },
  };
  return server;
}

/** What a proxy says whose server is not there. */
export const badGateway = () => new Response("Bad Gateway", { status: 502 });
