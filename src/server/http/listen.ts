import type { Network } from "../../contract/networks.ts";
import { clientAddressBehind } from "./client-address.ts";
import { notListening } from "./not-listening.ts";
import type { Connections } from "./server-parts.ts";

/** How long a connection may be idle unless a start says otherwise, in seconds. */
export const defaultIdleSeconds = 10;

/** Where and how a server listens. */
interface ListenOptions {
  readonly mode: "local" | "team";
  readonly hostname: string;
  readonly port: number;
  readonly idleSeconds?: number;
  readonly trustProxy?: readonly Network[];
}

interface App {
  fetch(request: Request): Response | Promise<Response>;
}

/** Listens first and answers through the app that is made for the address it got. */
export function listen(
  options: ListenOptions,
  appFor: (url: string, connections: Connections) => App,
) {
  const { hostname, port, idleSeconds = defaultIdleSeconds, trustProxy = [] } = options;
  const clientAddress = clientAddressBehind(trustProxy);
  let app: App | undefined;
  try {
    const server = Bun.serve({
      hostname,
      port,
      idleTimeout: idleSeconds,
      // Each operation refuses with its own limit. Bun's limit would answer without a body, before the credential is checked.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request) => app!.fetch(request),
    });
    app = appFor(`http://${hostname}:${server.port}`, {
      keepOpen: (request, seconds) => server.timeout(request, seconds),
      letIdle: (request) => server.timeout(request, idleSeconds),
      addressOf: (request) =>
        clientAddress(
          server.requestIP(request)?.address ?? "",
          request.headers.get("x-forwarded-for"),
        ),
    });
    return server;
  } catch (error) {
    throw notListening(
      error,
      { hostname, port },
      options.mode === "team" ? "`--listen HOST:PORT`" : "SERVICE_LOCAL_ADDR=127.0.0.1:PORT",
    );
  }
}
