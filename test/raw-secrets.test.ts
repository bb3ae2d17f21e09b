import { expect, test } from "bun:test";
import { Glob } from "bun";

/** Sources of the server and its database, without comments and without what stands in plain strings. */
const root = new URL("..", import.meta.url).pathname;
const bare = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|\s)\/\/.*$/gm, "$1")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
const sources = await Promise.all(
  [...new Glob("src/{server,db}/**/*.ts").scanSync(root)].sort().map(async (path) => ({
    path,
    lines: bare(await Bun.file(root + path).text()).split("\n"),
  })),
);
const linesWith = (isFound: (line: string, path: string) => boolean) =>
  sources.flatMap(({ path, lines }) =>
    lines.filter((line) => isFound(line, path)).map((line) => `${path}: ${line.trim()}`),
  );

/** What a secret is called where it stands as it is: it ends in one of these words, and is no object whose part is meant. */
const name = String.raw`(?:\w+[?!]?\.)*(?:\w*(?:[tT]oken|[sS]ecret|[iI]nvite|[cC]ode|[cC]ookie)|body\.key|typed|normal|authorization)`;
const secret = String.raw`(?<![\w.])${name}(?![\w([]|[?!]?\.|:)`;
/** Null, undefined and constants are no secrets. */
const constant = String.raw`(?:null|undefined|""|\d)`;

const comparisons = [
  String.raw`${secret}[!)]*\s*[!=]==?(?!=)\s*(?!\s|=|${constant})`,
  String.raw`(?<!${constant}\s*|typeof \S+\s*)[!=]==?\s*${secret}`,
  String.raw`\bswitch\s*\(\s*${secret}`,
  String.raw`\.(?:includes|indexOf|lastIndexOf|startsWith|endsWith|localeCompare|equals|compare|search|match)\(\s*${secret}`,
  String.raw`${name}[?!]?\.(?:includes|indexOf|lastIndexOf|startsWith|endsWith|localeCompare|equals|search|match)\((?!"")`,
  // Keys of maps, sets and objects.
  String.raw`\.(?:get|set|has|add|delete)\(\s*${secret}`,
  String.raw`[\w)\]]\[\s*${secret}\s*\]`,
  String.raw`\bin ${secret}`,
].map((pattern) => new RegExp(pattern));
const compares = (line: string) => comparisons.some((pattern) => pattern.test(line));

test("the rule finds comparisons of secrets, and nothing else", () => {
  for (const line of [
    "if (row.token === token)",
    "if (given !== session.secret) return",
    "rows.find(({ invite }) => invite == body.invite)",
    "  found = body.key === stored",
    "if (code! === row)",
    "seen.has(body.code)",
    "codes.get(typed)",
    "codes.set(code, taker)",
    "known.includes(client_token)",
    "stored.startsWith(kept.token)",
    "header.endsWith(body.client_token)",
    "body.token.startsWith(stored)",
    "switch (code) {",
    "byToken[token]",
    "stored.equals(secret)",
    "a.localeCompare(accessToken)",
  ])
    expect([line, compares(line)]).toEqual([line, true]);
  for (const line of [
    "if (seatTokenOf(tx, seat.row)?.digest !== secrets.digest(kept.token))",
    "const request = code === null ? null : undecidedRequestWithCode(tx, secrets.digest(code));",
    'if (code === "board_name_taken") throw collision(tx, caller, body.name!);',
    "if (code.guest_row === person.row) return;",
    "if (invite.redeemed_at) return;",
    "codes.set(digest, code);",
    "revokeCodes(tx, board, actor, [code]);",
    "const open = invite && !invite.redeemed_at;",
    "const token = body.client_token ?? secrets.create();",
    "return header === null ? null : cookie;",
    'if (typeof token === "string")',
    'if ((error as { code?: string }).code !== "EADDRINUSE") throw error;',
    "saveKey: (token) => writePrivately(options.keyFile, token),",
  ])
    expect([line, compares(bare(line))]).toEqual([line, false]);
});

test("secrets are found by their digest and never compared as they are", () => {
  expect(linesWith(compares)).toEqual([]);
});

test("one comparison takes the same time whatever is sent: that of a page's token with what it must be", () => {
  const found = linesWith((line) =>
    /timingSafeEqual|isDeepStrictEqual|Object\.is\(|Buffer\.compare/.test(line),
  );
  expect(found).toEqual([
    "src/server/http/recognize.ts: if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected))",
  ]);
});

test("every look-up by a digest is given a digest", () => {
  const call =
    /\b(\w+With(?:Digest|Code|Secret)|loginCodes\.(?:find|take|add))\((?:tx, )?(?<given>[\w.]+\([^()]*\)|[\w.]+)/g;
  const isDigest = /(?:^|\.)(?:digest|\w+Digest|browser)$|(?:^|\.)secrets\.digest\(/;
  const found = linesWith((line) => [...line.matchAll(call)].length > 0).filter(
    (line) => !/(?:function|const) \w+With/.test(line),
  );
  expect(found.length).toBeGreaterThan(10);
  const strays = found.filter((line) =>
    [...line.matchAll(call)].some(({ groups }) => {
      const given = groups!["given"]!;
      return !isDigest.test(given);
    }),
  );
  expect(strays).toEqual([]);
});

test("only digests are written into columns of digests", () => {
  const column = /\b(?:digest|\w+_digest): (?<given>[\w.]+\(?)/g;
  const isDigest = /^(?:string|digest|\w+\.digest\(|\w+\.\w+\.digest\(|\w+\.digest)$/;
  const strays = linesWith((line) =>
    [...line.matchAll(column)].some(({ groups }) => !isDigest.test(groups!["given"]!)),
  );
  expect(strays).toEqual([]);
});

test("a secret is put into another text in three places: its cookie, its file and its line", () => {
  const inText = new RegExp(String.raw`\$\{\s*${name}(?:\s*\?\?[^}]*)?\s*\}`);
  // Documents are made of names and codes of the table, before there is any secret.
  const isDocument = (path: string) => /openapi|reference-/.test(path);
  expect(linesWith((line, path) => !isDocument(path) && inText.test(line))).toEqual([
    'src/server/http/cookies.ts: return `${cookieName(server)}=${session?.secret ?? ""}; Path=/; HttpOnly; SameSite=Lax; ${lasting}${secure}`;',
    "src/server/joining/views.ts: return `Join service board ${board} on ${shown} as ${as} with code ${code}`;",
    "src/server/key-file.ts: writePrivately(file, `${token}\\n`);",
  ]);
});
