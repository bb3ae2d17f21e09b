import { expect, test } from "bun:test";
import { Glob } from "bun";
import { floors, lazyCircles, typeCircles, upwardWithReason } from "../docs/floors.ts";
import {
  circlesOf,
  filesGraph,
  importsIn,
  reachedFrom,
  roomOf,
  roomsGraph,
  upwardArrows,
  writtenNumbers,
  measured,
} from "../docs/imports.ts";
import { operationNames } from "../src/contract/index.ts";

/** What each folder may import: folders of src by name, packages by theirs. Inside itself a folder may import anything. */
const mayImport: Record<string, readonly string[]> = {
  contract: ["@sinclair/typebox"],
  "agent-text": ["contract"],
  db: ["contract", "client/files", "bun:sqlite", "node:fs", "node:path"],
  backup: ["contract", "client/files", "node:*"],
  "board-archive": ["contract", "db", "node:fs", "node:fs/promises"],
  server: ["backup", "board-archive", "contract", "db", "client/files", "node:fs", "node:path"],
  "server/http": [
    "board-archive",
    "contract",
    "db",
    "server",
    "mcp",
    "web/build",
    "@sinclair/typebox",
    "elysia",
    "memoirist",
    // The files of the page are compressed.
    ...["node:util", "node:zlib"],
  ],
  mcp: [
    "agent-text",
    "contract",
    "@modelcontextprotocol/server",
    "@sinclair/typebox",
    "node:stream",
  ],
  client: ["contract", "eventsource-parser"],
  "client/files": ["node:*"],
  "client/machine": ["client", "client/files", "contract", "node:*"],
  cli: [
    "agent-text",
    "backup",
    // An archive of a board is verified where it arrives.
    "board-archive",
    "client",
    "client/files",
    "client/machine",
    "contract",
    "mcp",
    "citty",
    "node:*",
  ],
  daemon: [
    "agent-text",
    "client",
    "client/files",
    "client/machine",
    "contract",
    "node:*",
    // Its journal is a database of its own, and only the C library says who is at the other end of a socket.
    ...["db/engine", "db/journal", "bun:ffi"],
  ],
  web: [
    "client",
    "contract",
    "web/build",
    "preact",
    "@preact/signals",
    "markdown-it",
    "diff",
    "@speed-highlight/core",
  ],
  "web/build": ["node:path"],
};

/** The folders that have rules, or are named in those of others. */
const named = new Set([...Object.keys(mayImport), ...Object.values(mayImport).flat()]);

const root = new URL("..", import.meta.url).pathname;
const sources = await Promise.all(
  [...new Glob("src/**/*.{ts,tsx}").scanSync(root)].sort().map(async (path) => {
    const text = await Bun.file(root + path).text();
    return { path, text, lines: text.split("\n"), folder: folderOf(path) };
  }),
);

/** The folder of a file: the longest one that the list names. A file at the top of src is itself. */
function folderOf(path: string): string {
  const [, folder = "", inner = ""] = path.split("/");
  const both = `${folder}/${inner}`;
  return named.has(both) ? both : folder;
}
/** The folder whose rules hold for a folder. One without rules is a part of the folder that it is in. */
const ruledBy = (folder: string): string => (folder in mayImport ? folder : folder.split("/")[0]!);

/** What a file imports: folders of src and packages by name. `typeOnly` marks an import that is gone when it runs. */
const importsOf = (path: string, text: string) =>
  importsIn(text).map(({ specifier, typeOnly }) => {
    const ours = specifier.startsWith(".");
    const { pathname } = new URL(specifier, `file:///${path}`);
    return { to: ours ? folderOf(pathname.slice(1)) : packageOf(specifier), typeOnly };
  });
const packageOf = (specifier: string) => specifier.replace(/^(@[^/]+\/[^/]+|[^@:/]+)\/.*$/, "$1");
const strays = (isStray: (source: (typeof sources)[number]) => readonly string[]) =>
  sources.flatMap((source) => isStray(source).map((what) => `${source.path}: ${what}`));

test("imports are read in all their forms", () => {
  const text = [
    'import { Elysia } from "elysia";',
    'import type { A } from "../a.ts";',
    'import {\n  type B,\n  c,\n} from "../../db/c.ts";',
    'import "./serve.ts";',
    'export * from "@sinclair/typebox/compiler";',
    'export type D = "no import";',
    'const later = await import("node:fs");',
  ].join("\n");
  expect(
    importsOf("src/server/http/app.ts", text).map(({ to, typeOnly }) => [to, typeOnly]),
  ).toEqual([
    ["elysia", false],
    ["server", true],
    ["db", false],
    ["server/http", false],
    ["@sinclair/typebox", false],
    ["node:fs", false],
  ]);
});

test("a folder imports only what it may", () => {
  const isAllowed = (
    allowed: readonly string[],
    { to, typeOnly }: { to: string; typeOnly: boolean },
  ) =>
    allowed.includes(to) ||
    (!to.startsWith("@") && allowed.includes(ruledBy(to))) ||
    (to.startsWith("node:") && allowed.includes("node:*")) ||
    (typeOnly && to === "@sinclair/typebox");
  const found = strays(({ path, text, folder }) => {
    if (folder.includes(".")) return [];
    const own = ruledBy(folder);
    const allowed = [own, ...(mayImport[own] ?? [])];
    // Where the server is put together.
    if (/^src\/server\/(serve|put-together|start-options)\.ts$/.test(path))
      allowed.push("server/http");
    // The one place of the command line that asks the C library.
    if (path === "src/cli/terminal/reader-left.ts") allowed.push("bun:ffi");
    // The one place that reads the version from package.json.
    if (path === "src/client/build-info.ts") allowed.push("");
    return importsOf(path, text)
      .filter((imported) => !isAllowed(allowed, imported))
      .map(({ to }) => `imports ${to}`);
  });
  expect(found).toEqual([]);
});

test("what has to outlast a power cut is written by client/files alone", () => {
  // The bytes of files are synced as they come; what a person fetches lies in their own folder and is theirs.
  const others = [
    // A bell is written in place, because a session watches that very file, and need not outlast anything.
    "src/daemon/harnesses/claude-code.ts",
    "src/server/files/byte-store.ts",
    "src/cli/files/save-file.ts",
    "src/cli/files/spool.ts",
  ];
  const writing = /\b(?:mkdir|rename|link|writeFile)Sync\b|\bBun\.write\(/;
  const found = strays(({ path, lines, folder }) =>
    folder === "client/files" || others.includes(path)
      ? []
      : lines.filter((line) => writing.test(line)),
  );
  expect(found).toEqual([]);
});

test("no import leads from a lower floor to a higher one, but for those with a reason", async () => {
  const upward = upwardArrows(roomsGraph(await filesGraph({ types: true })));
  const arrows = upward.map(({ from, to }) => `${from} → ${to}`);
  expect(arrows.sort()).toEqual(Object.keys(upwardWithReason).sort());
});

test("every folder of src is a floor, and every floor is there", () => {
  const here = new Set(sources.map(({ path }) => roomOf(path)));
  expect([...here].sort()).toEqual([...floors].sort());
});

test("an import of a higher floor is found, and one of a lower floor is none", () => {
  const graph = new Map([
    ["src/db/tasks.ts", new Set(["src/server/ids.ts", "src/contract/tasks.ts"])],
    ["src/server/tasks/drop.ts", new Set(["src/server/handlers.ts", "src/server/ids.ts"])],
  ]);
  expect(upwardArrows(roomsGraph(graph))).toEqual([
    { from: "src/db", to: "src/server", imports: 1 },
    { from: "src/server/tasks", to: "src/server/handlers.ts", imports: 1 },
  ]);
});

test("no files import one another in a circle, but for those with a reason", async () => {
  const files = (circles: typeof lazyCircles) => circles.map((circle) => circle.files);
  expect(circlesOf(await filesGraph())).toEqual([]);
  expect(circlesOf(await filesGraph({ types: true }))).toEqual(files(typeCircles) as string[][]);
  const waiting = circlesOf(await filesGraph({ lazy: true }));
  expect(waiting.sort()).toEqual(files(lazyCircles) as string[][]);
});

test("the page of the architecture gives the numbers of this tree", async () => {
  // Where they differ, `bun docs/imports.ts --write` brings the page up to date.
  expect(await writtenNumbers()).toEqual(await measured());
});

test("a circle is found, and what leads to one is not of it", () => {
  const imports = { a: ["b"], b: ["c"], c: ["d"], d: ["b", "e"], e: [] };
  const graph = Object.entries(imports).map(([from, to]) => [from, new Set(to)] as const);
  expect(circlesOf(new Map(graph))).toEqual([["b", "c", "d"]]);
});

test("no command loads the schemas but the one that checks them", async () => {
  const graph = await filesGraph();
  const loading = [...graph.keys()].filter(
    (path) =>
      /^src\/(cli\/|client\/|main)/.test(path) &&
      reachedFrom(graph, path).has("src/contract/schema.ts"),
  );
  // The first three are the command `api`.
  expect(loading.toSorted()).toEqual([
    "src/cli/about/api.ts",
    "src/cli/about/operation-help.ts",
    "src/cli/about/raw-call.ts",
    "src/cli/mcp/serve-tools.ts",
  ]);
});

test("no module waits while it is loaded: the program would be in ten times as many pieces", () => {
  const waiting = /^(export )?((const|let) [^=]*= )?await\b|^for await\b/;
  expect(waiting.test('const one = await import("./one.ts");')).toBe(true);
  // The page is built apart.
  const found = strays(({ path, lines }) =>
    path.startsWith("src/web/") ? [] : lines.filter((line) => waiting.test(line)),
  );
  expect(found).toEqual([]);
});

test("only the two doors to the tools load the protocol's library, each when it is used", async () => {
  const graph = await filesGraph();
  const loading = [...graph.keys()].filter(
    (path) =>
      !path.startsWith("src/mcp/") && reachedFrom(graph, path).has("src/mcp/tool-server.ts"),
  );
  expect(loading).toEqual(["src/cli/mcp/serve-tools.ts"]);
});

test("a hook loads no client of a server, nothing that reads credentials, and not the commands", async () => {
  const graph = await filesGraph();
  const hooks = [...graph.keys()].filter((path) => path.startsWith("src/cli/hooks/"));
  // Only a subagent's command is looked up among the commands, and so only then they are loaded.
  const always = hooks.filter((path) => !path.endsWith("/mark-subagent.ts"));
  const others = ["src/client/client.ts", "src/client/machine/seats.ts", "src/cli/commands.ts"];
  const found = always.flatMap((path) =>
    others.filter((other) => reachedFrom(graph, path).has(other)).map((other) => [path, other]),
  );
  expect(found).toEqual([]);
  expect(always.length).toBeGreaterThan(5);
});

test("one file knows Elysia, and one the router", () => {
  const knowing = (name: string) =>
    sources
      .filter(({ path, text }) => importsOf(path, text).some(({ to }) => to === name))
      .map(({ path }) => path);
  expect(knowing("elysia")).toEqual(["src/server/http/app.ts"]);
  expect(knowing("memoirist")).toEqual(["src/server/http/routes.ts"]);
});

test("one file says what makes a server admin", () => {
  const server = sources.filter(({ folder }) => folder.startsWith("server"));
  const deciding = server.filter(({ text }) => /server_role\s*[!=]==\s*"admin"/.test(text));
  expect(deciding.map(({ path }) => path)).toEqual(["src/server/access/server-admin.ts"]);
});

test("SQL is in src/db alone", () => {
  const sql =
    /\b(SELECT\s.+\sFROM|INSERT\s+(OR \w+ )?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX)|PRAGMA\s+\w)/;
  const found = strays(({ lines, folder }) =>
    ruledBy(folder) === "db" ? [] : lines.filter((line) => sql.test(line)),
  );
  expect(found).toEqual([]);
  const inDb = sources.filter(({ folder, text }) => ruledBy(folder) === "db" && sql.test(text));
  expect(inDb.length).toBeGreaterThan(5);
});

test("no server opens a database file a second time: a copy is opened by the process that copies", async () => {
  // Closing a second connection would drop the lock of the first.
  const opening = sources.filter(({ text }) => text.includes("new Database("));
  expect(opening.map(({ path }) => path).sort()).toEqual([
    "src/db/engine/open-alone.ts",
    "src/db/stored-copy.ts",
  ]);
  const reached = reachedFrom(await filesGraph(), "src/server/serve.ts");
  expect([...reached]).toContain("src/db/engine/open-alone.ts");
  expect([...reached]).not.toContain("src/db/stored-copy.ts");
});

test("the command line takes what is outside of it from its surroundings", () => {
  // Runs in one process must not meet: only these touch what is the process's.
  const mayTouch = [
    "this-process.ts",
    "write-all.ts",
    "private-files.ts",
    // Sets what Bun reads while it is called, and puts it back before anything else runs.
    "proxies.ts",
    // Asks the kernel about a descriptor of the process; loaded by `this-process.ts`.
    "reader-left.ts",
  ];
  const outside =
    /(?<![-\w/])process(\.\w|\[)|"node:process"|\bBun\.(stdin|stdout|stderr|env|argv|sleep)\b|\bconsole\.|(?<![.\w])prompt\(|\b(Date|performance)\.now\b|\bnew Date\(\)|\bAbortSignal\.timeout\b/;
  const touching = sources.filter(
    ({ folder, text }) => ["cli", "client/machine"].includes(folder) && outside.test(text),
  );
  expect(touching.map(({ path }) => path.split("/").at(-1)!).sort()).toEqual(mayTouch.sort());
});

test("no object is spread that is written there: its members are members of the one around it", () => {
  const written = /\.\.\.\{/;
  expect(written.test("return { ...{ one, two }, three };")).toBe(true);
  expect(strays(({ lines }) => lines.filter((line) => written.test(line)))).toEqual([]);
});

test("no file is longer than 300 lines", () => {
  expect(strays(({ lines }) => (lines.length > 301 ? [`${lines.length - 1} lines`] : []))).toEqual(
    [],
  );
});

test("every exported function, class and interface says what it is in a comment", () => {
  // A handler's text is its entry in the table of operations; a row's is its table.
  const documented = new Set<string>(operationNames);
  const found = strays(({ lines, folder }) => {
    // What a command is, its help says.
    if (["cli", "main.ts"].includes(ruledBy(folder))) return [];
    return lines.flatMap((line, index) => {
      const [, name] = /^export (?:async )?(?:function\*?|class|interface) (\w+)/.exec(line) ?? [];
      if (!name || documented.has(name) || name.endsWith("Row")) return [];
      return lines[index - 1]?.endsWith("*/") ? [] : [`${name} has no comment`];
    });
  });
  expect(found).toEqual([]);
});

test("nothing is left for later in a comment", () => {
  const later = new RegExp(
    ["TODO", "FIXME", "HACK"].map((word) => String.raw`\b${word}\b`).join("|"),
  );
  expect(strays(({ lines }) => lines.filter((line) => later.test(line)))).toEqual([]);
});

test("what is exported is used in another file", async () => {
  const wordsOf = (text: string) => new Set(text.match(/[\w$]+/g));
  const everywhere = [...new Glob("{src,test,bench,docs}/**/*.{ts,tsx}").scanSync()];
  const texts = await Promise.all(everywhere.map((path) => Bun.file(path).text()));
  const users = new Map<string, number>();
  for (const word of texts.flatMap((text) => [...wordsOf(text)]))
    users.set(word, (users.get(word) ?? 0) + 1);
  // The parser that the page is built with asks for this one by its package's name.
  const forOthers = ["decodeHTMLStrict"];
  const unused = strays(({ text, folder }) =>
    [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) ([\w$]+)/gm)]
      .map(([, name]) => name!)
      .filter((name) => users.get(name) === 1 && !forOthers.includes(name))
      // A schema of the contract has its name in the API's documents by being exported.
      .filter((name) => !(ruledBy(folder) === "contract" && /^[A-Z]/.test(name))),
  );
  expect(unused).toEqual([]);
});

test("every class that the styles name is on something of the page", async () => {
  const named = new Set<string>();
  for (const path of new Glob("src/web/style/*.css").scanSync()) {
    const styles = (await Bun.file(path).text()).replace(/\/\*[^]*?\*\//g, "");
    for (const [, selector] of styles.matchAll(/([^{}]+)\{/g))
      for (const [, name] of selector!.matchAll(/\.([a-z][\w-]*)/gi)) named.add(name!);
  }
  const given = new Set(
    sources
      .filter(({ path }) => /^src\/(web|server\/http\/documents)\//.test(path))
      .flatMap(({ text }) => [...text.matchAll(/"([^"\n]*)"|`([^`]*)`/g)])
      .flatMap(([, plain, template]) => (plain ?? template!).split(/[\s.${}"]+/)),
  );
  expect([...named].filter((name) => !given.has(name))).toEqual([]);
});
