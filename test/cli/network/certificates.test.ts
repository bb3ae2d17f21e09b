import { afterAll, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { localhostCertificate } from "../../support/servers/localhost-certificate.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { newMachineOfProcesses } from "../../support/commands/machine.ts";

/** A team's server whose certificate no store of roots knows. */
let requests = 0;
const listener = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: localhostCertificate,
  fetch(request) {
    requests++;
    return world.handle(request);
  },
});
const url = `https://localhost:${listener.port}`;
const world = await startWorld({ mode: "team", url });
const machine = newMachineOfProcesses();
const file = join(machine.home, "root.pem");
writeFileSync(file, localhostCertificate.cert);
const login = (env: Record<string, string>) =>
  machine.run(["login", url], { env, stdin: world.admin.token });

beforeEach(() => {
  requests = 0;
});
afterAll(() => listener.stop(true));

const meantForNode: [string, Record<string, string>][] = [
  ["no variable", {}],
  ["NODE_TLS_REJECT_UNAUTHORIZED=0", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
  ["NODE_EXTRA_CA_CERTS", { NODE_EXTRA_CA_CERTS: file }],
];
test.each(meantForNode)(
  "a certificate that is not trusted gets no request, with %s",
  async (_, env) => {
    const { code, stderr } = await login(env);
    expect(stderr).toContain("SSL_CERT_FILE");
    expect([code, stderr]).toEqual([1, expect.stringContaining("(DEPTH_ZERO_SELF_SIGNED_CERT)")]);
    expect(requests).toBe(0);
  },
);

test("SSL_CERT_FILE names roots that are trusted besides, whatever Node.js is told", async () => {
  const env = { SSL_CERT_FILE: file, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  expect(await login(env)).toMatchObject({ code: 0 });
  expect((await machine.ok(["whoami"], { env })).stdout).toContain("@ana");
  expect(requests).toBeGreaterThan(1);
});

test.skipIf(process.platform !== "linux")("roots of the system's store are trusted", async () => {
  // OpenSSL's way to say where the system's store lies.
  const { code } = await machine.run(["whoami"], { env: { SSL_CERT_DIR: machine.home } });
  expect(code).toBe(0);
});

test("BUN_CONFIG_VERBOSE_FETCH prints no request, and so no key", async () => {
  const env = { SSL_CERT_FILE: file, BUN_CONFIG_VERBOSE_FETCH: "curl" };
  const { stdout, stderr } = await machine.ok(["whoami"], { env });
  expect([stdout, stderr]).toEqual([expect.stringContaining("@ana"), ""]);
});

test.skipIf(process.platform !== "linux")(
  "a certificate for another name is refused as that, since no root would help",
  async () => {
    // All of 127.0.0.0/8 is this machine.
    const other = Bun.serve({
      hostname: "127.0.0.2",
      port: 0,
      tls: localhostCertificate,
      fetch: () => new Response(`${++requests}`),
    });
    const words = ["login", `https://127.0.0.2:${other.port}`];
    const env = { SSL_CERT_FILE: file };
    const { code, stderr } = await machine.run(words, { env, stdin: world.admin.token });
    await other.stop(true);
    expect([code, stderr]).toEqual([1, expect.stringContaining("(ERR_TLS_CERT_ALTNAME_INVALID)")]);
    expect(stderr).toContain("Its certificate is for another name");
    expect(requests).toBe(0);
  },
);
