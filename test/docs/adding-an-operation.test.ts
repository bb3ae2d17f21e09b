import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = new URL("../..", import.meta.url).pathname;
const page = readFileSync(join(root, "docs/adding-an-operation.md"), "utf8");
/** The places of the page, in their order. */
const places = [...page.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);

/** A copy of the tree in a folder of its own, which the same dependencies serve. */
function copied() {
  const folder = temporaryFolder();
  for (const name of [
    "src",
    "test",
    "docs",
    "bench",
    "package.json",
    "tsconfig.json",
    "CHANGELOG.md",
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** What was touched, by path, and how to touch more. */
function editing(folder: string) {
  const touched: string[] = [];
  const at = (path: string) => join(folder, path);
  return {
    touched,
    read: (path: string) => readFileSync(at(path), "utf8"),
    write(path: string, text: string) {
      touched.push(path);
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    /** Puts a text before the first place where another one stands. */
    before(path: string, mark: string, text: string) {
      const whole = readFileSync(at(path), "utf8");
      expect(whole, `${path} has ${mark}`).toContain(mark);
      touched.push(path);
      writeFileSync(
        at(path),
        whole.replace(mark, () => text + mark),
      );
    },
  };
}
type Edits = ReturnType<typeof editing>;

/** Adds `greetBoard`, which answers an agent with a greeting, by the page. */
function addGreeting(edits: Edits): void {
  const { write, before } = edits;
  before(
    "src/contract/boards.ts",
    "export const getBoard = ",
    `export const greetBoard = operation({
  method: "POST",
  path: "/v1/boards/:board/greeting",
  tag: "boards",
  summary: "Greet a board",
  access: "on-board",
  callers: callers.members,
  permission: "post",
  lifecycle: "active",
  replay: "kept",
  params: BoardParams,
  query: closed({ loud: t.Optional(t.Boolean({ default: false })) }),
  body: closed({ greeting: text({ maxLength: 40 }) }),
  response: record({ board: BoardName, greeting: t.String() }),
  errors: [],
});

`,
  );
  before(
    "src/contract/index.ts",
    "  getBoard: boards.getBoard,",
    "  greetBoard: boards.greetBoard,\n",
  );
  write(
    "src/server/boards/greet-board.ts",
    `import type { Handler } from "../handler.ts";

export const greetBoard: Handler<"greetBoard"> = (_tx, { board }, { query, body }) => ({
  board: board.name,
  greeting: query.loud ? body.greeting.toUpperCase() : body.greeting,
});
`,
  );
  const handlers = "src/server/handlers.ts";
  const rule = `import { greetBoard } from "./boards/greet-board.ts";\n`;
  before(handlers, "import type { BeforeBytes", rule);
  before(handlers, "  getBoard,\n", "  greetBoard,\n");
  before(
    "test/server/operations.ts",
    "  getBoard: {",
    `  greetBoard: {
    access: ["membersChange"],
    request: withBody(() => ({ greeting: "hello" })),
    whole: ({ board }) => ({ params: { board }, body: { greeting: "hello" } }),
    repeat: "kept",
  },
`,
  );
  write(
    "test/server/boards/greet-board.test.ts",
    `import { expect, test } from "bun:test";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { docs, makeDocs } from "../../support/boards/docs-board.ts";

test("a loud greeting is in capitals", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const given = { ...docs, query: { loud: true }, body: { greeting: "hi" } };
  expect(await world.admin.call("greetBoard", given)).toEqual({ board: "docs", greeting: "HI" });
});
`,
  );
  addCommand(edits);
  before("CHANGELOG.md", "### Added\n", "### Greeted\n\n- Boards are greeted.\n\n");
}

/** The command, beside another one and with what that one imports. */
function addCommand({ read, write, before }: Edits): void {
  const index = "src/cli/commands.ts";
  const [, beside = ""] = /import\("\.\/([\w./-]+)\/whoami\.ts"\)/.exec(read(index)) ?? [];
  const imports = read(`src/cli/${beside}/whoami.ts`)
    .split("\n")
    .filter((line) => /asAgentOrPerson|defineCommand/.test(line) && line.startsWith("import"));
  write(
    `src/cli/${beside}/greet.ts`,
    `${imports.join("\n")}

export default defineCommand({
  summary: "Greet the board docs",
  acts: "either",
  args: actorFlags,
  async run({ args, data: cli }) {
    const { api } = await asAgentOrPerson(cli, args);
    const given = { params: { board: "docs" }, body: { greeting: "hello" } };
    const answer = await api.call("greetBoard", given);
    return { json: answer, text: answer.greeting };
  },
});
`,
  );
  const [entry = ""] = / +whoami: .*\n/.exec(read(index)) ?? [];
  const own = entry.replaceAll("whoami", "greet");
  before(index, entry, own);
}

/** Runs a command of the copy, and gives what it printed, unless it ended well. */
function complaintOf(folder: string, command: string): string | null {
  const [name = "", ...words] = command.split(" ");
  const program = name === "bun" ? process.execPath : join(root, "node_modules/.bin", name);
  const { success, stdout, stderr } = Bun.spawnSync([program, ...words], { cwd: folder });
  return success ? null : `${command}\n${stdout.toString()}\n${stderr.toString()}`;
}

/** The tests of what holds for every operation, and the one that the page adds. */
const forEveryOperation = [
  "test/tidy.test.ts",
  "test/docs/reference.test.ts",
  "test/server/boards/greet-board.test.ts",
  "test/server/operations.test.ts",
  "test/server/matrix-requests.test.ts",
  "test/server/http/idempotency.test.ts",
  "test/server/boards/archived.test.ts",
  "test/server/joining/guests.test.ts",
  "test/server/required-role.test.ts",
];

test("an operation added by the page has ten places, and passes what holds for every operation", () => {
  expect(places).toHaveLength(10);
  const folder = copied();
  const edits = editing(folder);
  addGreeting(edits);
  expect(complaintOf(folder, "bun docs/generate.ts")).toBeNull();

  // The page names what a feature, an operation and a command are called.
  const named = places.map((path) =>
    path
      .replace("<feature>", "boards")
      .replace("<operation>", "greet-board")
      .replace("<subject>", "greet-board")
      .replace("<noun>", "signing-in")
      .replace("<command>", "greet"),
  );
  expect([...new Set(edits.touched), "docs/reference"].sort()).toEqual(named.sort());

  for (const command of [
    "bun check --no-script",
    "bun test test/server/access-matrix.test.ts -t greetBoard",
    `bun test ${forEveryOperation.join(" ")}`,
  ])
    expect(complaintOf(folder, command)).toBeNull();
}, 120_000);
