import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { networkOf } from "../../../src/contract/networks.ts";
import { createClient } from "../../../src/client/client.ts";
import { startListening } from "../../support/servers/server-on-port.ts";

type Listening = Awaited<ReturnType<typeof startListening>>;
const networks = (...texts: string[]) => texts.map((text) => networkOf(text)!);

/** Sends a request with these header lines, each as it is. */
function send({ host, port }: Listening, line: string, headers: string[], body: object) {
  const json = JSON.stringify(body);
  const all = [
    `${line} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: close",
    ...headers,
    "Content-Type: application/json",
    `Content-Length: ${json.length}`,
  ];
  return new Promise<{ status: number; body: any }>((resolve, reject) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`${all.join("\r\n")}\r\n\r\n${json}`),
    );
    socket.on("error", reject);
    socket.on("data", (bytes) => (heard += bytes));
    socket.on("end", () => {
      const [head = "", text = ""] = heard.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), body: JSON.parse(text) });
    });
  });
}

/** The address that an approval shows for a machine that asked with these headers. */
async function shownFor(world: Listening, headers: string[]): Promise<string> {
  const asked = await send(world, "POST /v1/machine-requests", headers, {
    handle: "ana",
    label: "vm",
  });
  expect(asked.status).toBe(201);
  const ana = createClient({ baseUrl: world.server.url, token: world.key });
  const { requested_from } = await ana.call("lookupMachineRequest", {
    body: { code: asked.body.code },
  });
  return requested_from;
}

describe("a server that trusts its proxies", async () => {
  const world = await startListening({
    trustProxy: networks("127.0.0.0/8", "10.0.0.0/8", "fd00::/8"),
  });

  test.each([
    ["none at all", [], "127.0.0.1"],
    ["one address", ["203.0.113.7"], "203.0.113.7"],
    ["the last of several", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"],
    [
      "the last before trusted ones",
      ["198.51.100.1, 203.0.113.7,10.1.2.3, 127.0.0.2"],
      "203.0.113.7",
    ],
    [
      "several headers, which are one list",
      ["198.51.100.1", "203.0.113.7", "10.1.2.3"],
      "203.0.113.7",
    ],
    ["IPv6, in its short form", ["2001:DB8:0:0::1, fd00::2"], "2001:db8::1"],
    ["IPv4 inside IPv6", ["::ffff:203.0.113.7, ::ffff:10.0.0.1"], "203.0.113.7"],
    ["a forged trusted one before the client's", ["10.0.0.1, 203.0.113.7"], "203.0.113.7"],
    ["nothing but trusted ones", ["10.0.0.1, 10.0.0.2"], "127.0.0.1"],
    ["a malformed one that counts", ["203.0.113.7, unknown"], "127.0.0.1"],
    ["a malformed one behind trusted ones", ["203.0.113.7, nonsense, 10.0.0.1"], "127.0.0.1"],
    ["a malformed one that does not count", ["nonsense, 203.0.113.7"], "203.0.113.7"],
    ["an empty entry", ["203.0.113.7,"], "127.0.0.1"],
    ["an empty header", [""], "127.0.0.1"],
    ["an address with a port", ["203.0.113.7:8080"], "127.0.0.1"],
    ["an address with a zone", ["fe80::1%eth0"], "127.0.0.1"],
    ["a number that no address has", ["203.0.113.256"], "127.0.0.1"],
    ["half an IPv6 address", ["2001:db8"], "127.0.0.1"],
    ["IPv6 just outside a trusted network", ["fd00::1, fe00::1, fdff:ffff::1"], "fe00::1"],
    ["IPv4 just outside a trusted network", ["203.0.113.7, 11.0.0.0, 10.255.255.255"], "11.0.0.0"],
    ["an octal address", ["0203.0.113.7"], "127.0.0.1"],
    ["a network", ["203.0.113.0/24"], "127.0.0.1"],
  ] as const)("takes from X-Forwarded-For: %s", async (_what, sent, address) => {
    const headers = sent.map((value) => `X-Forwarded-For: ${value}`);
    expect(await shownFor(world, headers)).toBe(address);
  });

  test("reads no other forwarding header", async () => {
    const headers = [
      "Forwarded: for=203.0.113.7;host=evil.example;proto=https",
      "X-Real-IP: 203.0.113.7",
      "X-Forwarded-Host: evil.example",
      "X-Forwarded-Proto: https",
      "Client-IP: 203.0.113.7",
    ];
    expect(await shownFor(world, headers)).toBe("127.0.0.1");
    const foreign = { ...world, host: "evil.example" };
    const named = ["X-Forwarded-For: 203.0.113.7", `X-Forwarded-Host: ${world.host}`];
    expect((await send(foreign, "POST /v1/machine-requests", named, {})).status).toBe(421);
  });
});

test("a server that trusts nobody, or somebody else, takes no address from a header", async () => {
  for (const trustProxy of [[], networks("10.0.0.0/8"), networks("::/1")]) {
    const world = await startListening({ trustProxy });
    expect(await shownFor(world, ["X-Forwarded-For: 203.0.113.7"])).toBe("127.0.0.1");
  }
});

test("behind a trusted proxy one client uses up its own attempts alone, whatever it sends", async () => {
  const world = await startListening({ trustProxy: networks("127.0.0.1/32"), rateScale: 1 });
  const attempt = (...from: string[]) =>
    send(world, "POST /v1/connect", [`X-Forwarded-For: ${from.join(", ")}`], {});
  for (let n = 0; n < 10; n++)
    expect((await attempt(`192.0.2.${n}`, "203.0.113.7")).status).toBe(400);
  expect((await attempt("192.0.2.99", "203.0.113.7")).status).toBe(429);
  expect((await attempt("203.0.113.7", "198.51.100.1")).status).toBe(400);
});
