import type { Network } from "../../contract/networks.ts";
import { createApp, type Inside } from "./app.ts";
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

/** The address of a server, taken. Until it is opened, requests wait. */
export interface Entrance {
  /** Lets requests in to what is made for the address. Throws if it could not be taken. */
  open(insideFor: (url: string, connections: Connections) => Inside): Bun.Server<undefined>;
  /** Gives the address back. */
  close(): void;
}

/** Takes the address of a server. A refusal of the system is kept for `open`, so that what else is wrong is said first. */
export function entranceAt(options: ListenOptions): Entrance {
  const { hostname, port, idleSeconds = defaultIdleSeconds, trustProxy = [] } = options;
  const opened = Promise.withResolvers<void>();
  let inside: Inside | undefined;
  const app = createApp(() => inside!);
  let server: Bun.Server<undefined>;
  try {
    server = Bun.serve({
      hostname,
      port,
      idleTimeout: idleSeconds,
      // Each operation refuses with its own limit. Bun's limit would answer without a body, before the credential is checked.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request) =>
        inside ? app.fetch(request) : opened.promise.then(() => app.fetch(request)),
    });
  } catch (error) {
    const setting =
      options.mode === "team" ? "`--listen HOST:PORT`" : "SERVICE_LOCAL_ADDR=127.0.0.1:PORT";
    const refusal = notListening(error, { hostname, port }, setting);
    return {
      open() {
        throw refusal;
      },
      close() {},
    };
  }
  const clientAddress = clientAddressBehind(trustProxy);
  return {
    open(insideFor) {
      inside = insideFor(`http://${hostname}:${server.port}`, {
        keepOpen: (request, seconds) => server.timeout(request, seconds),
        letIdle: (request) => server.timeout(request, idleSeconds),
        addressOf: (request) =>
          clientAddress(
            server.requestIP(request)?.address ?? "",
            request.headers.get("x-forwarded-for"),
          ),
      });
      opened.resolve();
      return server;
    },
    close: () => void server.stop(true),
  };
}
