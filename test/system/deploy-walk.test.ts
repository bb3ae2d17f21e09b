import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programFile, programTargets } from "../../src/contract/programs.ts";
import {
  answer,
  blocksOf,
  host,
  isServing,
  onHost,
  pageOf,
  root,
  setUp,
  walkOn,
} from "../support/debian/walk.ts";

/** The page of deploy/: its commands as they stand there, in their order, by root. */
const page = pageOf("deploy/README.md");
const folder = mkdtempSync(join(tmpdir(), "service-walk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const blocks = blocksOf(page);

/** A command that stands within a sentence. */
function within(command: string): string {
  const flat = page.replaceAll(/\s+/g, " ");
  if (!flat.includes(`\`${command}\``)) throw new Error(`deploy/README.md does not say ${command}`);
  return onHost(command);
}

/** The command by which a container asks after its server, as a shell writes it. */
function healthCheck(): string {
  const file = readFileSync(join(root, "deploy/Containerfile"), "utf8");
  const command = JSON.parse(/^HEALTHCHECK[^[]*CMD (\[.*\])$/m.exec(file)![1]!) as string[];
  return command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

function walk(): string[] {
  const [login, downloads, ...others] = blocks.slice(3);
  if (!downloads || others.length)
    throw new Error("deploy/README.md has other blocks of commands than this test");
  return [
    ...setUp(blocks),
    "mkdir -p dist/downloads",
    "rm -f dist/downloads/*",
    ...programTargets.map((target) => `cp dist/service dist/downloads/${programFile(target)}`),
    answer("health", `${healthCheck()} && ${within("curl http://127.0.0.1:7400/readyz")}`),
    answer("key", "stat -c '%a %U' /var/lib/board-service/admin-key /var/lib/board-service"),
    login!,
    answer("key-gone", "ls /var/lib/board-service"),
    answer("whoami", "service whoami --json"),
    answer("second-key", within("service keys create NAME").replace("NAME", "spare")),
    answer("invite", within("service invite --person --server https://HOST")),
    downloads,
    "systemctl restart board-service",
    isServing,
    answer(
      "download",
      `curl --silent --fail --insecure https://localhost/download/${programTargets[0]} | sha256sum; sha256sum < dist/service`,
    ),
    // The upgrade.
    within("install dist/service /opt/board-service/service"),
    within("systemctl restart board-service"),
    isServing,
    answer("after-upgrade", "service whoami --json"),
    // The lost key.
    "systemctl stop board-service",
    answer(
      "recover",
      within(
        "sudo -u board-service /opt/board-service/service recover --data /var/lib/board-service",
      ),
    ),
    "systemctl start board-service",
    isServing,
    "rm -rf /root/own",
    login!,
    answer("recovered", "service whoami --json"),
    answer("log", "cat /var/log/board-service.log"),
    "systemctl stop board-service",
  ];
}

let answers = new Map<string, string>();
beforeAll(async () => {
  answers = await walkOn(folder, walk());
}, 180_000);

test("the first admin's key is the server's own until it is fetched, and then gone", () => {
  expect(answers.get("key")).toBe("600 board-service\n700 board-service\n");
  expect(answers.get("key-gone")).not.toContain("admin-key");
});

test("the server says that it is ready, to the container's check and to who asks on the machine", () => {
  expect(answers.get("health")).toBe("ready\n");
});

test("the admin is signed in from their own machine, has a second key and a link for others", () => {
  expect(JSON.parse(answers.get("whoami")!)).toMatchObject({
    server: { url: `https://${host}` },
    me: { name: "admin" },
  });
  expect(answers.get("second-key")).toMatch(/^abh_/m);
  expect(answers.get("invite")).toContain(`https://${host}/`);
});

test("the programs that were copied are offered", () => {
  const [offered, built] = answers.get("download")!.trim().split("\n").slice(-2);
  expect(offered).toBe(built!);
});

test("an upgrade keeps the sign-in, and recovery makes a key that works", () => {
  expect(JSON.parse(answers.get("after-upgrade")!)).toMatchObject({
    server: { url: `https://${host}` },
    me: { name: "admin" },
  });
  expect(answers.get("recover")).toContain("admin-key");
  expect(JSON.parse(answers.get("recovered")!)).toMatchObject({
    server: { url: `https://${host}` },
    me: { name: "admin" },
  });
});

test("the log has a line for each start, sign-in and recovery, and no key", () => {
  const log = answers.get("log")!;
  const events = log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => (JSON.parse(line) as { event: string }).event);
  const count = (event: string) => events.filter((one) => one === event).length;
  expect([count("started"), count("stopped")]).toEqual([4, 3]);
  expect(events).toContain("key.made");
  expect(log).not.toMatch(/ab[a-z]_[A-Za-z0-9]{20}/);
});
