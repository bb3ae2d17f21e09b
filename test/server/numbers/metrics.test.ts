import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstLine } from "../../support/raw-requests.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { startListening } from "../../support/servers/server-on-port.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const token = "a-token-of-32-characters-0123456";
function tokenFile(text = `${token}\n`): string {
  const file = join(temporaryFolder(), "token");
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
const bearer = (given: string) => ({ headers: { authorization: `Bearer ${given}` } });

/** The samples of an exposition by name and labels. Refuses what no reader of Prometheus would take. */
function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.trimEnd().split("\n")) {
    const [, about, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (about === "TYPE") {
      expect(types.has(name!)).toBe(false);
      types.set(name!, rest!);
    }
    if (about) continue;
    const [, sample, family, value] =
      /^(((?:service_\w+?))(?:_bucket|_sum|_count)?(?:\{[^{}]*\})?) (\S+)$/.exec(line) ?? [];
    if (sample === undefined) throw new Error(`not a sample: ${line}`);
    expect(types.has(family!) || [...types.keys()].some((one) => sample.startsWith(one))).toBe(
      true,
    );
    expect(samples.has(sample)).toBe(false);
    expect(Number.isFinite(Number(value))).toBe(true);
    samples.set(sample, Number(value));
  }
  return samples;
}

test("there is no /metrics unless it is asked for", async () => {
  const { server } = await startListening();
  const answer = await fetch(`${server.url}/metrics`, bearer(token));
  expect([
    answer.status,
    ((await answer.json()) as { error: { code: string } }).error.code,
  ]).toEqual([404, "not_found"]);
});

test("whoever has the token gets the figures, and nobody else", async () => {
  const { server, key, host } = await startListening({ metrics: { tokenFile: tokenFile() } });
  const url = `${server.url}/metrics`;
  for (const init of [{}, bearer("another-token-of-32-characters-0"), bearer(key)]) {
    const refused = await fetch(url, init);
    const { error } = (await refused.json()) as { error: { code: string; hint: string } };
    expect([refused.status, error.code]).toEqual([401, "unauthorized"]);
    expect(error.hint).toContain("`serve --metrics`");
  }
  const headers = { ...bearer(token).headers, host: `evil.example` };
  expect((await fetch(url, { headers })).status).toBe(421);
  const answer = await fetch(url, bearer(token));
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4");
  const samples = samplesOf(await answer.text());
  expect(samples.get('service_build_info{version="0.0.0-test",commit=""}')).toBe(1);
  expect(samples.get("service_database_bytes")).toBeGreaterThan(0);
  expect(samples.get("service_asks_open")).toBe(0);
  expect(samples.get('service_request_duration_seconds_count{operation="none",status="4xx"}')).toBe(
    4,
  );
  expect(host).toStartWith("127.0.0.1:");
});

test("the buckets of a histogram add up", async () => {
  const { server, key } = await startListening({ metrics: { tokenFile: tokenFile() } });
  for (let i = 0; i < 5; i++) await fetch(`${server.url}/v1/me`, bearer(key));
  const samples = samplesOf(await (await fetch(`${server.url}/metrics`, bearer(token))).text());
  const of = 'operation="getMe",status="2xx"';
  const buckets = ["0.001", "0.005", "0.025", "0.1", "0.5", "2", "10", "+Inf"].map((le) =>
    samples.get(`service_request_duration_seconds_bucket{${of},le="${le}"}`)!,
  );
  expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
  expect(buckets.at(-1)).toBe(5);
  expect(samples.get(`service_request_duration_seconds_count{${of}}`)).toBe(5);
  expect(samples.get("service_commit_duration_seconds_count")).toBeGreaterThan(0);
});

test("an address of its own needs no token, and answers nothing else and by no other name", async () => {
  const port = freePort();
  await startListening({ metrics: { hostname: "127.0.0.1", port } });
  const url = `http://127.0.0.1:${port}`;
  expect(samplesOf(await (await fetch(`${url}/metrics`)).text()).size).toBeGreaterThan(10);
  for (const [path, init, status, code] of [
    ["/v1/info", {}, 404, "not_found"],
    ["/metrics", { method: "POST" }, 404, "not_found"],
    ["/metrics", { headers: { host: `evil.example:${port}` } }, 421, "host_not_allowed"],
    ["/metrics", { headers: { host: "127.0.0.1.evil.example" } }, 421, "host_not_allowed"],
  ] as const) {
    const answer = await fetch(url + path, init as RequestInit);
    const { error } = (await answer.json()) as { error: { code: string } };
    expect([path, answer.status, error.code]).toEqual([path, status, code]);
  }
});

test("there a host that is nonsense is refused like any other, and nothing is logged of it", async () => {
  const port = freePort();
  const { logged } = await startListening({ metrics: { hostname: "127.0.0.1", port } });
  const url = `http://127.0.0.1:${port}/metrics`;
  for (const host of ["[", "localhost@evil.example", "127.999.1.1", "a b", "localhost:80:1"]) {
    const { status } = await fetch(url, { headers: { host } });
    expect([host, status]).toEqual([host, 421]);
  }
  expect(await firstLine(port, "GET /metrics HTTP/1.0\r\n\r\n")).toStartWith("HTTP/1.1 421 ");
  expect(logged).toEqual([]);
});

test("there the figures have a head too, and whoever asks for something else is told what there is", async () => {
  const port = freePort();
  await startListening({ metrics: { hostname: "127.0.0.1", port } });
  const url = `http://127.0.0.1:${port}`;
  const head = await fetch(`${url}/metrics`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const { error } = (await (await fetch(`${url}/`)).json()) as { error: { hint: string } };
  expect(error.hint).toBe(`There is only ${url}/metrics here.`);
});

test("a token that every user of the machine can read is said in the log, and no other", async () => {
  const file = tokenFile();
  chmodSync(file, 0o640);
  expect((await startListening({ metrics: { tokenFile: file } })).logged).toEqual([]);
  chmodSync(file, 0o644);
  const { logged } = await startListening({ metrics: { tokenFile: file } });
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", event: "metrics.token-read-by-all", file },
  ]);
});

test("a server does not start with a token that could be guessed, or at an address that is taken", async () => {
  for (const text of ["", "short\n", "two words that are long enough\n"])
    await expect(startListening({ metrics: { tokenFile: tokenFile(text) } })).rejects.toMatchObject(
      { code: "metrics_token_invalid" },
    );
  const none = join(temporaryFolder(), "no file");
  await expect(startListening({ metrics: { tokenFile: none } })).rejects.toMatchObject({
    code: "metrics_token_invalid",
    message: `The token of --metrics cannot be read from ${none}: it is not there.`,
    hint: expect.stringContaining(` > '${none}')`),
  });
  const folder = temporaryFolder();
  await expect(startListening({ metrics: { tokenFile: folder } })).rejects.toMatchObject({
    message: expect.stringContaining("it is a folder"),
  });
  const port = freePort();
  await startListening({ metrics: { hostname: "127.0.0.1", port } });
  await expect(startListening({ metrics: { hostname: "127.0.0.1", port } })).rejects.toMatchObject({
    code: "address_in_use",
  });
});
