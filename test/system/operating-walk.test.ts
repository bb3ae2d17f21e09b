import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  answer,
  blocksOf,
  host,
  isServing,
  pageOf,
  setUp,
  walkOn,
} from "../support/debian/walk.ts";

/** The page for operators: its commands as they stand there, in their order, on a machine that deploy/README.md set up. */
const folder = mkdtempSync(join(tmpdir(), "service-operating-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = [
  ...["ready", "numbers", "metrics", "backups", "backup", "list", "restore", "signed-in"],
  ...["full", "check", "upgrade", "move", "export", "recover"],
];

function walk(): string[] {
  const deploying = blocksOf(pageOf("deploy/README.md"));
  const blocks = blocksOf(pageOf("docs/operating.md"));
  if (blocks.length !== names.length)
    throw new Error("docs/operating.md has other blocks of commands than this test");
  const readyAgain =
    'until [ "$(curl --silent http://127.0.0.1:7400/readyz)" = ready ]; do sleep 0.1; done';
  const done =
    "until service api getBackup backup=before-upgrade --json | grep -q done; do sleep 0.1; done";
  const before: Record<string, string> = {
    // The answer to a restart comes before the server's.
    metrics:
      'curl() { command curl --silent --retry 50 --retry-delay 1 --retry-connrefused "$@"; }',
    list: done,
    move: "service board new plans --server local",
  };
  const after: Record<string, string> = {
    backups: `${isServing}\n${readyAgain}`,
    restore: isServing,
    check: isServing,
    recover: isServing,
  };
  return [
    ...setUp(deploying),
    deploying[3]!,
    "journalctl() { tail -n 20 /var/log/board-service.log; }",
    ...blocks.map((block, at) => {
      const name = names[at]!;
      return [before[name] ?? "", answer(name, block), after[name] ?? ""].join("\n");
    }),
    answer("boards", "service boards --all --json"),
    answer("kept", "ls /var/lib/board-service.before /root plans.board.tar"),
    "rm -f plans.board.tar",
    "service down || true",
    "systemctl stop board-service",
  ];
}

let answers = new Map<string, string>();
beforeAll(async () => {
  answers = await walkOn(folder, walk());
}, 120_000);
const said = (name: string) => answers.get(name)!;

test("a server is seen to be well, by a word, its log, its figures and Prometheus", () => {
  expect(said("ready")).toStartWith("ready\n");
  expect(said("ready")).toContain('"event":"started"');
  expect(said("numbers")).toContain(`Figures of https://${host}`);
  expect(said("metrics")).toContain("service_posts_total");
});

test("backups are made while it runs, are listed and whole", () => {
  expect(said("list")).toMatch(/^ {2}before-upgrade +\d{4}-/m);
  expect(said("list")).toContain("Backup before-upgrade is whole.");
});

test("one is restored into an empty folder, with another key for the first admin, and the old data stay", () => {
  expect(said("restore")).toContain("Restored the backup before-upgrade");
  expect(said("signed-in")).toContain(`Signed in to https://${host} as @admin`);
  expect(said("kept")).toContain("service.db");
});

test("a full disk is looked at, what is stored is sound, and an upgrade answers", () => {
  expect(said("full")).toContain("/var/lib/board-service/service.db");
  expect(said("check")).toContain("/var/lib/board-service is sound: ");
  expect(said("upgrade")).toEndWith("ready\n");
});

test("a board moves from a machine to the server, and is exported from there", () => {
  expect(said("move")).toContain(`Board plans has moved to https://${host}`);
  expect(said("export")).toContain("verified");
  expect(said("kept")).toContain("plans.board.tar");
  expect(said("boards")).toContain('"plans"');
});

test("a lost key is made again", () => {
  expect(said("recover")).toContain("admin-key");
});
