import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyCommand } from "../../src/cli/commands.ts";
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
  "bundle",
  "metrics",
  "prometheus",
  "token",
  "backups",
  "backup",
  "list",
  "restore",
  "signed-in",
  "accepted",
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
  "shared",
  "copy",
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

/** Another program that reads the database of the server, while it runs. */
const reads = `${join(root, "node_modules/.bin/bun")} -e 'const { Database } = require("bun:sqlite"); console.log(new Database("/var/lib/board-service/service.db").query("SELECT name FROM board").all())'`;

function walk(): string[] {
  const deploying = blocksOf(pageOf("deploy/README.md"));
  const blocks = blocksOf(pageOf("docs/operating.md"));
  if (blocks.length !== names.length)
    throw new Error("docs/operating.md has other blocks of commands than this test");
  const readyAgain =
    'until [ "$(curl --silent http://127.0.0.1:7400/readyz)" = ready ]; do sleep 0.1; done';
  const done =
    "until service api getBackup backup=before-upgrade --json | grep -q done; do sleep 0.1; done";
  const scraped =
    'until curl --silent "http://127.0.0.1:9090/api/v1/query?query=up" | grep -q "\\[[0-9.]*,.1.\\]"; do sleep 0.1; done; echo scraped';
  const before: Record<string, string> = {
    // The board's record is verified here, before the backup and once more after it.
    ready: "service board new garden",
    list: done,
    restore:
      'service say "After the backup." --board garden --me && service audit verify --board garden',
    "new-host": lostHost,
    // Root has brought them.
    brought: `chown -R root /srv/backups\n${answer("brought-by-root", `${verify} || true`)}`,
    "from-bucket": `echo "${variables}" >> /etc/board-service.env`,
    move: "service board new plans --server local",
    shared:
      "sed -i '/^ExecStart=/s|$| --backup-every 24h --backup-to /srv/backups --backup-keep 7|' /etc/systemd/system/board-service.service",
    // What Litestream would have restored, and what was copied beside it.
    copy: `systemctl stop board-service
install -d -m 700 -o board-service -g board-service /srv/copy
cp -a /var/lib/board-service/service.db /var/lib/board-service/digest-key /srv/copy/`,
  };
  const after: Record<string, string> = {
    prometheus: scraped,
    token: `${isServing}\ncurl --silent --insecure --header "Authorization: Bearer $(cat /etc/board-service-metrics)" https://${host}/metrics`,
    backups: `${isServing}\n${readyAgain}`,
    restore: isServing,
    brought: verify,
    "from-bucket": `${isServing}\nservice api listRestores --json`,
    check: isServing,
    recover: isServing,
    shared: `${isServing}\n${reads}`,
    copy: `systemctl start board-service\n${isServing}`,
  };
  return [
    ...setUp(deploying),
    deploying[3]!,
    "journalctl() { tail -n 20 /var/log/board-service.log; }",
    ...blocks.map((block, at) => {
      const name = names[at]!;
      const command = block
        .replaceAll("BUCKET/PREFIX", "backups/team")
        .replaceAll("BOARD", "garden");
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
}, 180_000);
const said = (name: string) => answers.get(name)!;

test("a server is seen to be well, by a word, its log, its figures and a bundle", () => {
  expect(said("ready")).toStartWith("ready\n");
  expect(said("ready")).toContain('"event":"started"');
  expect(said("numbers")).toContain(`Figures of https://${host}`);
  expect(said("bundle")).toStartWith("/tmp/service-debug.tar: ");
});

test("Prometheus is given its figures on the machine, and with a token from elsewhere", () => {
  expect(said("metrics")).toContain("service_posts_total");
  expect(said("prometheus")).toContain("SUCCESS");
  expect(said("prometheus")).toEndWith("scraped\n");
  expect(said("token")).toContain("service_posts_total");
});

test("backups are made while it runs, are listed and whole", () => {
  expect(said("list")).toMatch(/^ {2}before-upgrade +\d{4}-/m);
  expect(said("list")).toContain("Backup before-upgrade is whole.");
});

test("one is restored into an empty folder, with another key for the first admin, and the old data stay", () => {
  expect(said("restore")).toContain("Restored the backup before-upgrade");
  expect(said("signed-in")).toContain(`Signed in to https://${host} as @admin`);
  expect(said("kept")).toContain("service.db");
  expect(said("accepted")).toContain("restored");
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

test("another program reads a database that is shared, and its copy is checked and made a backup", () => {
  expect(said("shared")).toContain("plans");
  expect(said("copy")).toContain("/srv/copy is sound: ");
  expect(said("copy")).toContain("Backup copy");
});

/** What stands in a sentence and is tried elsewhere, or is not of this program. */
const elsewhere = [
  // test/cli/boards/board-follow.test.ts
  "board export BOARD -o FILE --follow",
  // test/cli/about/help.test.ts
  "service help environment",
];

test("a command that stands in a sentence is one of those that are run", () => {
  const page = pageOf("docs/operating.md");
  const blocks = blocksOf(page).join("\n");
  const sentences = page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  const names = everyCommand()
    .map(({ name }) => name)
    .join("|");
  const isCommand = new RegExp(
    `^(?:(?:${names}) |(?:service|sudo|curl|systemctl|journalctl|ssh|litestream|npm|apt|cp|mv|rm) )`,
  );
  const within = [...sentences.matchAll(/`([^`]+)`/g)]
    .map(([, text]) => text!.replaceAll(/\s+/g, " "))
    .filter((text) => isCommand.test(`${text} `));
  expect(within).not.toBeEmpty();
  expect(within.filter((text) => !blocks.includes(text) && !elsewhere.includes(text))).toEqual([]);
});
