import { expect, test } from "bun:test";
import { freePort } from "../../support/servers/free-port.ts";
import { firstLine } from "../../support/raw-requests.ts";
import { untilTrue } from "../../support/wait-until.ts";
import { startListening } from "../../support/servers/server-on-port.ts";

type Listening = Awaited<ReturnType<typeof startListening>>;

/** The answer of a probe, asked as a load balancer does: by any host, without a credential. */
async function probe({ port }: Listening, path: string, init: RequestInit = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { host: "10.0.0.7:8080", ...init.headers },
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const events = ({ logged }: Listening) =>
  logged.map((line) => JSON.parse(line) as { event?: string; reason?: string });

test("a server answers its probes to any host, without a credential, with one word and no line in its log", async () => {
  const listening = await startListening({
    mode: "team",
    publicUrl: "https://team.example",
    port: freePort(),
  });
  expect(await probe(listening, "/healthz")).toMatchObject({ status: 200, text: "ok\n" });
  expect(await probe(listening, "/readyz")).toMatchObject({ status: 200, text: "ready\n" });
  expect(await probe(listening, "/readyz", { method: "HEAD" })).toMatchObject({
    status: 200,
    text: "",
  });
  expect(events(listening).filter(({ event }) => event === "request")).toEqual([]);
  // Everything else keeps its check of the host.
  for (const [path, method] of [
    ["/v1/info", "GET"],
    ["/healthz/", "GET"],
    ["/healthz", "POST"],
    ["/", "GET"],
  ] as const)
    expect([path, (await probe(listening, path, { method })).status]).toEqual([path, 421]);
});

test("a probe needs no host at all, and one that names nonsense gets its answer too", async () => {
  const { port } = await startListening();
  expect(await firstLine(port, "GET /readyz HTTP/1.0\r\n\r\n")).toBe("HTTP/1.1 200 OK");
  expect(await firstLine(port, "GET /healthz HTTP/1.1\r\nHost: [\r\n\r\n")).toBe("HTTP/1.1 200 OK");
  expect(await firstLine(port, "GET /v1/info HTTP/1.0\r\n\r\n")).toStartWith("HTTP/1.1 421 ");
});

test("a nearly full disk is named, and its beginning and its end are each logged once", async () => {
  let free = 1e9;
  const listening = await startListening({ freeBytes: async () => free, logLevel: "info" });
  free = 1e6;
  expect(await probe(listening, "/readyz")).toMatchObject({ status: 503, text: "disk\n" });
  // What was found is good for a while: whoever asks in a loop costs nothing.
  free = 1e9;
  expect((await probe(listening, "/readyz")).status).toBe(503);
  await untilTrue(
    async () => (await probe(listening, "/readyz")).status === 200,
    "it is ready again",
    8_000,
  );
  const changes = events(listening).filter(({ event }) => event?.endsWith("ready"));
  expect(changes).toMatchObject([{ event: "not-ready", reason: "disk" }, { event: "ready" }]);
}, 15_000);

test("a database that takes no write is named, and the process answers meanwhile", async () => {
  const listening = await startListening();
  listening.server.db.close();
  expect(await probe(listening, "/readyz")).toMatchObject({ status: 503, text: "database\n" });
  expect((await probe(listening, "/healthz")).status).toBe(200);
});
