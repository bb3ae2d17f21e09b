import { Refusal, refuse } from "../../contract/refusal.ts";
import { exposition } from "../numbers/exposition.ts";
import { notListening } from "./not-listening.ts";
import { asRefusal, problem } from "./problems.ts";
import type { ServerParts } from "./server-parts.ts";

/** Hosts by which a program on this machine asks. Another one is the name of a foreign page's server. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** What answers with the figures needs of a server. */
type Figures = Pick<ServerParts, "numbers" | "tools" | "log">;

/** Answers with the figures, once those of the tables are new enough. */
export async function metricsAnswer({ numbers, tools }: Figures): Promise<Response> {
  await numbers.count();
  return new Response(exposition(numbers, tools.server), {
    headers: { "content-type": "text/plain; version=0.0.4", "cache-control": "no-store" },
  });
}

/** Refuses whoever has another token, or none. Digests are compared: how long that takes tells nothing about the token. */
export function refuseOtherToken(request: Request, token: string): void {
  const given = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (digestOf(given) !== digestOf(token))
    throw new Refusal(
      "unauthorized",
      "The figures need a token of their own.",
      "Send the one in the file that `serve --metrics` names, as `Authorization: Bearer TOKEN`.",
    );
}

const digestOf = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** Answers at an address of its own, without a token: only this machine reaches it, and only by its own names. */
async function answerOnLoopback(figures: Figures, request: Request, address: string) {
  const host = request.headers.get("host") ?? "";
  // A host that is nonsense has no URL.
  const url = loopback.test(host) ? URL.parse(request.url) : null;
  if (!url) throw refuse("host_not_allowed", { host: host || "(none)", address });
  const { method } = request;
  if (url.pathname === "/metrics" && (method === "GET" || method === "HEAD"))
    return metricsAnswer(figures);
  throw new Refusal(
    "not_found",
    `There is no operation ${method} ${url.pathname}.`,
    `There is only ${address} here.`,
  );
}

/** An address of the figures alone. */
export interface MetricsAddress {
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** Listens at an address of its own for whoever asks for the figures. */
export function listenForMetrics(figures: Figures, { hostname, port }: MetricsAddress) {
  try {
    const server: Bun.Server<undefined> = Bun.serve({
      hostname,
      port,
      fetch: (request) =>
        answerOnLoopback(figures, request, new URL("/metrics", server.url).href).catch(
          (error: unknown) => problem(asRefusal(error, figures.log)),
        ),
    });
    return server;
  } catch (error) {
    throw notListening(error, { hostname, port }, "`--metrics 127.0.0.1:PORT`");
  }
}
