import type { TSchema } from "@sinclair/typebox";
import { operationNamed, operationNames, type OperationName } from "../../../src/contract/index.ts";
import { laterOperations } from "../../../src/contract/not-implemented.ts";
import type { Draw } from "./draw.ts";
import { publicUrl } from "./measured-server.ts";
import type { Party, Scene } from "./parties.ts";
import { objectOf, oddTexts, oddValue, valueOf } from "./values.ts";

/** A request, its parts as bytes of latin1: each character is one. */
export interface Hostile {
  readonly method: string;
  readonly target: string;
  readonly lines: readonly string[];
  readonly body: string;
  /** Whose credential it has. */
  readonly party: string;
  /** The operation that it was made from, if it still is a request of it. */
  readonly of: OperationName | null;
}

const host = `Host: ${new URL(publicUrl).host}`;
/** A text as the bytes of UTF-8, each a character. A lone surrogate becomes what encoders make of it. */
const bytesOf = (text: string) => Buffer.from(text).toString("latin1");

/** Other paths of the server, and paths of nothing. */
const otherLines: readonly string[] = [
  "GET /",
  "GET /docs",
  "GET /docs/operations",
  "GET /start",
  "GET /start/invitation",
  "GET /v1",
  "GET /v1/openapi.json",
  "GET /manifest.webmanifest",
  "GET /worker.js",
  "GET /assets/x.js",
  "GET /download/linux-x64",
  "GET /b/docs",
  "GET /healthz",
  "GET /readyz",
  "GET /metrics",
  "POST /mcp",
  "GET /mcp",
  "DELETE /mcp",
  "OPTIONS *",
  "GET /favicon.ico",
  "PUT /v1/nothing",
  ...laterOperations.map(({ op }) => `${op.method} ${op.path.replace(/:\w+/g, "1")}`),
];

/** Draws a request: near to a right one, and then changed in none, one or several of its parts. */
export function hostileRequest(draw: Draw, scene: Scene): Hostile {
  const made = draw.chance(0.94) ? ofOperation(draw, scene) : ofOther(draw);
  const { kind, lines } = senderOf(made.of, draw, scene);
  let request: Hostile = { ...made, party: kind, lines: [...made.lines, ...lines] };
  const changes = draw.pick([0, 0, 1, 1, 1, 2, 3]);
  for (let i = 0; i < changes; i++) request = draw.pick(changesOfParts)(request, draw, scene);
  return request;
}

/** What each kind of credential belongs to, as far as its requests are to succeed. */
const partiesOf = {
  key: [
    "a person",
    "a person",
    "a person",
    "a server admin",
    "a guest",
    "a key that ends in an hour",
  ],
  browser: ["a browser", "a browser token"],
  agent: ["an agent", "an agent", "a guest's agent"],
  delegation: ["a delegation"],
  pairing: ["a session that is paired"],
} as const;

/** Mostly somebody of this round whose kind of credential the operation takes. */
function senderOf(of: OperationName | null, draw: Draw, { parties }: Scene): Party {
  const accepted = of ? operationNamed(of).callers.accepts : [];
  if (accepted.length === 0 || draw.chance(0.25)) return recentParty(parties, draw);
  const wanted = draw.pick(partiesOf[draw.pick(accepted)]);
  const fitting = parties.slice(-partiesInRound).filter(({ kind }) => kind === wanted);
  return fitting.length ? draw.pick(fitting) : recentParty(parties, draw);
}
const recentParty = (parties: readonly Party[], draw: Draw) =>
  draw.chance(0.6) ? draw.pick(parties.slice(-partiesInRound)) : draw.pick(parties);
/** How many parties a round brings, about. */
const partiesInRound = 21;

/** What ends what the others of a round need: it comes seldom. */
const endings: readonly OperationName[] = [
  ...(["removeFromServer", "setServerRole", "renamePerson", "removePerson", "leaveBoard"] as const),
  ...([
    "revokeKey",
    "endBrowserTokens",
    "endBrowserSession",
    "signOut",
    "createDelegation",
  ] as const),
  ...(["archiveBoard", "deleteBoard", "removeAgent", "leaveAsAgent", "updateSettings"] as const),
  ...(["setVisibility", "updateBoard", "pruneAgents", "removeFile"] as const),
];
const isRare = new Set<OperationName>(endings);

function ofOperation(draw: Draw, scene: Scene): Omit<Hostile, "party"> {
  const drawn = draw.pick(operationNames);
  const name = isRare.has(drawn) && draw.chance(0.97) ? draw.pick(operationNames) : drawn;
  const { method, path, params, query, body, shape } = operationNamed(name);
  const given = (params?.properties ?? {}) as Record<string, TSchema>;
  const filled = path.replace(/:(\w+)/g, (_, key: string) =>
    escaped(inAddress(valueOf(given[key]!, draw, scene, key))),
  );
  const asked = query ? Object.entries(objectOf(query, draw, scene)) : [];
  const search = asked
    .flatMap(([key, value]) => [value].flat().map((one) => `${key}=${escaped(inAddress(one))}`))
    .join("&");
  const target = filled + (search && `?${search}`);
  const common = { of: name, method, target };
  if (shape === "upload")
    return {
      ...common,
      body: bytesOf(draw.pick(["", "plan", "x".repeat(70_000), draw.pick(oddTexts)])),
      lines: [host, "Content-Type: application/octet-stream"],
    };
  if (method === "GET") return { ...common, body: "", lines: [host] };
  const sent = body ? valueOf(body, draw, scene) : {};
  return { ...common, body: bytesOf(JSON.stringify(sent)), lines: [host, jsonType] };
}
const jsonType = "Content-Type: application/json";

function ofOther(draw: Draw): Omit<Hostile, "party"> {
  const [method = "", target = ""] = draw.pick(otherLines).split(" ");
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: draw.pick(["initialize", "tools/list", "tools/call", "x"]),
  };
  const params = draw.chance(0.5) ? { params: oddValue(draw, 0) } : {};
  const isMcp = target === "/mcp" && method === "POST";
  const lines = [host, jsonType, "Accept: application/json, text/event-stream"];
  return isMcp
    ? { of: null, method, target, body: bytesOf(JSON.stringify({ ...call, ...params })), lines }
    : { of: null, method, target, body: "", lines: [host] };
}

const inAddress = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
/** A part of a path or query as a browser writes it. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%3A", ":");
}

type Change = (request: Hostile, draw: Draw, scene: Scene) => Hostile;
const changesOfParts: readonly Change[] = [
  changedBody,
  changedBody,
  changedBytes,
  changedPath,
  changedQuery,
  changedHeaders,
  changedHeaders,
  changedCredential,
  changedMethod,
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One field is left out, of another type, odd, or one too many. */
function changedBody(request: Hostile, draw: Draw): Hostile {
  if (!request.body) return changedQuery(request, draw);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(request.body, "latin1").toString());
  } catch {
    return changedBytes(request, draw);
  }
  if (!isObject(value)) return changedBytes(request, draw);
  const names = Object.keys(value);
  const name = names.length ? draw.pick(names) : "body";
  if (draw.chance(0.2)) delete value[name];
  else if (draw.chance(0.3)) value[draw.pick(oddTexts)] = oddValue(draw, 0);
  else value[name] = draw.chance(0.5) ? draw.pick(oddTexts) : oddValue(draw, 0);
  return { ...request, body: bytesOf(JSON.stringify(value)) };
}

const deep = (times: number) => "[".repeat(times) + "]".repeat(times);
const oddBodies: readonly string[] = [
  ...[
    "",
    "{",
    "null",
    "[]",
    "0",
    '"x"',
    "{}{}",
    "{} x",
    "\ufeff{}",
    '{"a":1,"a":2}',
    "{'a':1}",
  ].map(bytesOf),
  deep(100),
  deep(70_000),
  `{"body":${deep(5000)}}`,
  '{"a":'.repeat(20_000),
  ...['{"body":"\\ud800"}', '{"body":"\\u0000"}', '{"__proto__":{"x":1}}', '{"body":1e999}'],
  ...['{"body":"\xff\xfe"}', "\xff\xfe{\0}\0", "\x1f\x8b\x08\0\0\0", '{"body":"\xed\xa0\x80"}'],
  `{"body":"${"x".repeat(1024 * 1024)}"}`,
  `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":${i}`).join(",")}}`,
];
/** The bytes of a body are cut, doubled, or others. */
function changedBytes(request: Hostile, draw: Draw): Hostile {
  const { body } = request;
  // What is large takes long: it comes seldom.
  const odd = draw.chance(0.9) ? draw.pick(oddBodies.filter(isSmall)) : draw.pick(oddBodies);
  const changed = draw.pick([
    odd,
    odd,
    body.slice(0, draw.int(body.length + 1)),
    body + body,
    body.replace(/[a-z]/, () => String.fromCharCode(128 + draw.int(128))),
  ]);
  return { ...request, body: changed };
}
const isSmall = ({ length }: string) => length < 10_000;

const oddParts: readonly string[] = [
  "%",
  "%0",
  "%zz",
  "%00",
  "%2F",
  "%2e%2e",
  "..",
  ".",
  "",
  "//",
  ";x",
  "\\",
  "%5C",
  "%ff",
  "%c0%ae",
  "%ed%a0%80",
  "%e2%80%ae",
  "\xff\xfe",
  "\xc3\xa9",
  "a".repeat(3000),
  "%25%32%66",
  "+",
  "%20",
  "*",
  "~",
  "{}",
  "|",
  "^",
  "`",
  "<x>",
  '"',
  "%0d%0aX:%20y",
  ":board",
  "latest",
  "0",
  "-1",
  "1e3",
  "@ana",
];
/** One part of the path is odd, or one more comes. */
function changedPath(request: Hostile, draw: Draw): Hostile {
  const [path = "", ...search] = request.target.split("?");
  const parts = path.split("/");
  const at = 1 + draw.int(parts.length);
  const odd = draw.pick(oddParts);
  const many = { of: null, target: "/v1" + "/x".repeat(2000) };
  if (draw.chance(0.02)) return { ...request, ...many };
  const how = draw.int(10);
  if (how === 0) parts.splice(at, 0, odd);
  else if (how === 1) parts[at] = (parts[at] ?? "") + odd;
  else if (how === 2) parts[at] = (parts[at] ?? "").toUpperCase();
  else parts[at] = odd;
  return { ...request, of: null, target: [parts.join("/"), ...search].join("?") };
}

const oddQueries: readonly string[] = [
  "",
  "&",
  "=",
  "&&=&",
  "a",
  "limit=",
  "limit=0",
  "limit=-1",
  "limit=1e2",
  "limit=201",
  "after=x",
  "after=99999999999999",
  "wait=601",
  "wait=0",
  "q=",
  "q=%00",
  'q="',
  "q=%22a",
  "q=a%20OR",
  "q=*",
  "q=-a",
  "cursor=1-2-3-4",
  "cursor=9999999999-9999999999-9999999-9999999999",
  "since=x",
  "a[]=1",
  "a[b]=1",
  "limit=1&limit=2",
  "__proto__=1",
  "constructor=1",
  "x=%ff",
  "x=%",
  "#x",
  "?",
  "%00=1",
  "newest=maybe",
  `q=${"word%20".repeat(400)}`,
  Array.from({ length: 500 }, (_, i) => `k${i}=1`).join("&"),
];
function changedQuery(request: Hostile, draw: Draw): Hostile {
  const { target } = request;
  const more = draw.pick(oddQueries);
  return { ...request, target: target + (target.includes("?") ? "&" : "?") + more };
}

const oddLines: readonly string[] = [
  "Idempotency-Key: once",
  "Idempotency-Key: once",
  "Idempotency-Key: twice",
  "Idempotency-Key: ",
  `Idempotency-Key: ${"k".repeat(300)}`,
  "Idempotency-Key: \xff\xfe",
  "If-None-Match: *",
  'If-None-Match: "x',
  "Range: bytes=0-0",
  "Range: bytes=-1",
  "Range: bytes=9-1",
  "Range: bytes=0-1,3-",
  "Range: x",
  "If-Range: x",
  "Accept: text/html",
  "Accept: */*;q=0",
  "Accept-Encoding: gzip",
  "Content-Encoding: gzip",
  "Expect: 100-continue",
  "Content-Type: text/plain",
  "Content-Type: application/json; charset=utf-16",
  "Content-Type: ",
  "Content-Type: x/\xff",
  "Content-Type: application/octet-stream",
  "Content-Type: multipart/form-data; boundary=x",
  "Origin: null",
  "Origin: https://evil.example",
  "X-Service-Csrf: x",
  "X-Forwarded-For: 1.2.3.4",
  "X-Forwarded-Host: evil.example",
  "Forwarded: for=_x",
  "Via: 1.1 x",
  "traceparent: 00-0-0-0",
  `traceparent: 00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  "X-Request-Id: a\tb",
  "Last-Event-ID: x",
  "Last-Event-ID: 99999999999999999999",
  "Upgrade: websocket",
  "Connection: upgrade",
  "Connection: close",
  "Sec-Fetch-Site: cross-site",
  `X-Long: ${"x".repeat(12_000)}`,
  "Cookie: a=b; a=c;;;=;x",
  `Cookie: __Host-service_session=${"x".repeat(60)}`,
  "X-HTTP-Method-Override: DELETE",
  "User-Agent: \x80\x81",
  "User-Agent: ",
  "MCP-Protocol-Version: 1",
  "Mcp-Session-Id: x",
  "Priority: u=0",
  "TE: trailers",
];
const oddHosts: readonly string[] = [
  "Host: evil.example",
  "Host: ",
  "Host: boards.example:443",
  "Host: BOARDS.EXAMPLE",
  "Host: [::1",
  "Host: a b",
];
/** More headers, one less, another host. */
function changedHeaders(request: Hostile, draw: Draw): Hostile {
  const { lines } = request;
  if (draw.chance(0.1)) return { ...request, lines: [draw.pick(oddHosts), ...lines.slice(1)] };
  if (draw.chance(0.1))
    return { ...request, lines: lines.filter((_, i) => i === 0 || draw.chance(0.7)) };
  if (draw.chance(0.02))
    return {
      ...request,
      lines: [...lines, ...Array.from({ length: 60 }, (_, i) => `X-${i}: ${i}`)],
    };
  const name = (line: string) => line.split(":")[0];
  const more = draw.pick(oddLines);
  const others = draw.chance(0.5) ? lines.filter((line) => name(line) !== name(more)) : lines;
  return { ...request, lines: [...others, more] };
}

/** A credential that is cut, in a wrong scheme, doubled, or in a wrong place. */
function changedCredential(request: Hostile, draw: Draw, { words }: Scene): Hostile {
  const others = request.lines.filter((line) => !/^(Authorization|Cookie):/.test(line));
  const secret = draw.pick(words.secret);
  const lines = draw.pick([
    [`Authorization: Bearer ${secret}`],
    [`Authorization: Bearer ${secret}x`],
    [`Authorization: bearer  ${secret}`],
    [`Authorization: Basic ${btoa(`x:${secret}`)}`],
    [`Authorization: ${secret}`],
    ["Authorization: Bearer "],
    ["Authorization: Bearer \xff\xfe"],
    [`Authorization: Bearer ${"a".repeat(5000)}`],
    [`Authorization: Bearer ${secret}`, `Authorization: Bearer ${draw.pick(words.secret)}`],
    [`Cookie: __Host-service_session=${secret}`],
    [`Cookie: __Host-service_session=${secret}`, `Origin: ${publicUrl}`],
    [],
  ]);
  return { ...request, party: `${request.party}, changed`, lines: [...others, ...lines] };
}

const methods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "QUERY",
  "LOCK",
  "PROPFIND",
];
function changedMethod(request: Hostile, draw: Draw): Hostile {
  return { ...request, of: null, method: draw.pick(methods) };
}
