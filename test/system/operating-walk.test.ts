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
  root,
  setUp,
  walkOn,
} from "../support/debian/walk.ts";

/** The page for operators: its commands as they stand there, in their order, on a machine that deploy/README.md set up. */
const folder = mkdtempSync(join(tmpdir(), "service-operating-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = [
  "ready",
  "numbers",
  "metrics",
  "backups",
  "backup",
  "list",
  "restore",
  "signed-in",
  "new-host",
  "brought",
  "from-bucket",
  "full",
  "deleted",
  "check",
  "upgrade",
  "move",
  "export",
  "recover",
];

/** What a bucket on this machine is reached with. */
const variables = [
  "AWS_ENDPOINT_URL=http://127.0.0.1:4568",
  "AWS_ACCESS_KEY_ID=S3RVER",
  "AWS_SECRET_ACCESS_KEY=S3RVER",
  `SERVICE_BACKUP_KEY=${Buffer.alloc(32, 7).toString("base64")}`,
].join("\n");
/** The machine has a backup in a bucket, and then nothing of the server any more. */
const lostHost = `
${join(root, "node_modules/.bin/bun")} ${join(root, "test/support/backups/bucket-process.ts")} 4568 /tmp/bucket &
until curl --silent http://127.0.0.1:4568/ >/dev/null; do sleep 0.1; done
echo "${variables}" >> /etc/board-service.env
systemctl stop board-service
systemd-run --quiet --pipe --wait --uid=board-service --property=EnvironmentFile=/etc/board-service.env \
  /opt/board-service/service backup --data /var/lib/board-service --to s3://backups/team --name of-the-lost-host
rm -rf /var/lib/board-service /etc/board-service.env /etc/systemd/system/board-service.service /opt/board-service
userdel board-service`;

const verify =
  "sudo -u board-service /opt/board-service/service backup verify before-upgrade --data /var/lib/board-service --to /srv/backups 2>&1";

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
    "new-host": lostHost,
    // Root has brought them.
    brought: `chown -R root /srv/backups\n${answer("brought-by-root", `${verify} || true`)}`,
    "from-bucket": `echo "${variables}" >> /etc/board-service.env`,
    move: "service board new plans --server local",
  };
  const after: Record<string, string> = {
    backups: `${isServing}\n${readyAgain}`,
    restore: isServing,
    brought: verify,
    "from-bucket": `${isServing}\nservice api listRestores --json`,
    check: isServing,
    recover: isServing,
  };
  return [
    ...setUp(deploying),
    deploying[3]!,
    "journalctl() { tail -n 20 /var/log/board-service.log; }",
    ...blocks.map((block, at) => {
      const name = names[at]!;
      const command = block.replaceAll("BUCKET/PREFIX", "backups/team");
      return [before[name] ?? "", answer(name, `${command}\n${after[name] ?? ""}`)].join("\n");
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

test("a host that is lost is another one, with what a bucket has and the keys that people have", () => {
  expect(said("brought-by-root")).toContain("This user may not read /srv/backups");
  expect(said("brought")).toContain("Backup before-upgrade is whole.");
  expect(said("from-bucket")).toContain("Restored the backup of-the-lost-host");
  expect(said("from-bucket")).toMatch(/"backup": ?"of-the-lost-host"/);
});

test("a full disk is looked at and gets room, what is stored is sound, and an upgrade answers", () => {
  expect(said("full")).toContain("/var/lib/board-service/service.db");
  expect(said("deleted")).toBe("Deleted the backup before-upgrade.\n");
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
