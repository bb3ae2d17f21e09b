import { afterAll, expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operationNamed, operationNames } from "../../src/contract/index.ts";
import { createClient } from "../../src/client/client.ts";
import { freePort } from "../support/servers/free-port.ts";
import { startListening } from "../support/servers/server-on-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { untilTrue } from "../support/wait-until.ts";

/** What the alerts and the board are asked for in Prometheus itself, over a real server's figures. */
const folder = temporaryFolder();
const at = (file: string) => join(folder, file);
cpSync("deploy/monitoring", folder, { recursive: true });
const address = { hostname: "127.0.0.1", port: freePort() };
const { server, key } = await startListening({ metrics: address });
const ana = createClient({ baseUrl: server.url, token: key });

/** Runs promtool, and gives what it says. */
function promtool(words: readonly string[], stdin = ""): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...words], {
    cwd: folder,
    stdin: Buffer.from(stdin),
  });
  const said = stdout.toString() + stderr.toString();
  if (exitCode !== 0) throw new Error(`promtool ${words.join(" ")}: ${said}`);
  return said;
}

await ana.call("createBoard", { body: { name: "docs" } });
await ana.call("postMessage", { params: { board: "docs" }, body: { body: "Hello." } });

const prometheus = `http://127.0.0.1:${freePort()}`;
const config = readFileSync(at("prometheus.yml"), "utf8");
writeFileSync(
  at("prometheus.yml"),
  config.replaceAll("127.0.0.1:9464", `127.0.0.1:${address.port}`).replaceAll("30s", "1s"),
);
const child = Bun.spawn(
  [
    "prometheus",
    "--config.file",
    at("prometheus.yml"),
    "--storage.tsdb.path",
    at("data"),
    "--web.listen-address",
    new URL(prometheus).host,
    "--log.level",
    "error",
  ],
  { stdout: "ignore", stderr: "inherit" },
);
afterAll(async () => {
  child.kill();
  await child.exited;
});

/** The values that Prometheus has for an expression now. */
async function valuesOf(expression: string): Promise<number[]> {
  const query = new URLSearchParams({ query: expression });
  const answer = await fetch(`${prometheus}/api/v1/query?${query}`);
  const { status, error, data } = (await answer.json()) as {
    status: string;
    error?: string;
    data: { result: { value: [number, string] }[] };
  };
  if (status !== "success") throw new Error(`${expression}: ${error}`);
  return data.result.map(({ value }) => Number(value[1]));
}

test("promtool finds nothing in the figures", async () => {
  const answer = await fetch(`http://127.0.0.1:${address.port}/metrics`);
  expect(promtool(["check", "metrics"], await answer.text())).toBe("");
}, 60_000);

test("the alerts are valid, and fire when they should and only then", () => {
  expect(promtool(["check", "config", "prometheus.yml"])).toContain("SUCCESS");
  expect(promtool(["test", "rules", "alerts-test.yml"])).toContain("SUCCESS");
}, 60_000);

test("Prometheus reads the figures by the configuration as it is shipped", async () => {
  const posted = async () => (await valuesOf("service_posts_total").catch(() => [])).join() === "1";
  await untilTrue(posted, "Prometheus has read the figures", 60_000);
  expect(await valuesOf('up{job="board-service"}')).toEqual([1]);
}, 90_000);

const { panels } = JSON.parse(readFileSync(at("grafana.json"), "utf8")) as {
  panels: {
    title: string;
    fieldConfig: { defaults: { unit: string } };
    targets: { expr: string }[];
  }[];
};

test("each panel has the unit of its figures", () => {
  for (const { title, targets, fieldConfig } of panels)
    for (const { expr } of targets)
      expect([title, fieldConfig.defaults.unit]).toEqual([
        title,
        expect.stringMatching(unitsOf(expr)),
      ]);
});

/** The units of Grafana that an expression may have. */
function unitsOf(expr: string): RegExp {
  const isRatio = /\) \/ rate\(/.test(expr);
  const [name = ""] = expr.match(/service_\w+/) ?? [];
  if (expr.includes("start_time_seconds * 1000")) return /^dateTimeFromNow$/;
  if (name.endsWith("_bytes")) return /^bytes$/;
  if (/_seconds(_sum|_bucket)?$/.test(name)) return /^s$/;
  if (/_(total|count)$/.test(name) && expr.includes("rate(") && !isRatio) return /^(ops|reqps)$/;
  return /^short$/;
}

test("the time of requests leaves out those that take as long as they need, and no other", () => {
  const { expr } = panels.find(({ title }) => title.startsWith("Time of a request"))!.targets[0]!;
  const left = /operation!~"([^"]+)"/.exec(expr)![1]!.split("|");
  const long = operationNames.filter((name) => operationNamed(name).shape !== undefined);
  expect(left.toSorted()).toEqual(["none", ...long].toSorted());
});

test("every figure of the board and of the alerts is one that the server gives", async () => {
  const expressions = panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }) => expr.replaceAll("$__rate_interval", "1m"));
  const alerts = [...readFileSync(at("alerts.yml"), "utf8").matchAll(/expr: (.+)/g)];
  const all = [...expressions, ...alerts.map(([, expression]) => expression!)];
  expect(all.length).toBeGreaterThan(20);
  for (const expression of all) await valuesOf(expression);
  // There is no backup, so it has no age.
  const names = new Set(all.join(" ").match(/service_\w+/g));
  for (const name of names)
    if (name !== "service_backup_age_seconds")
      expect([name, (await valuesOf(name)).length > 0]).toEqual([name, true]);
}, 60_000);
