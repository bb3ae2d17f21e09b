import { Kind, type TSchema } from "@sinclair/typebox";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "bun:test";
import { errors } from "../../../src/contract/errors/index.ts";
import { recordTexts } from "../../../src/contract/documents/field-texts.ts";
import { parameterTexts, requestTexts } from "../../../src/contract/documents/request-texts.ts";
import { errorsOf } from "../../../src/contract/documents/implied-errors.ts";
import { operationNamed, operationNames, type OperationName } from "../../../src/contract/index.ts";
import { namedSchemas, nameOfSchema } from "../../../src/contract/documents/named-schemas.ts";
import { openApiDocument } from "../../../src/server/http/documents/openapi.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";

interface Entry {
  operationId: string;
  security: Record<string, unknown>[];
  parameters?: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Entry>>;
  components: { schemas: Record<string, object> };
}

const document = openApiDocument({ version: "1.2.3", url: "https://boards.example" }) as Document;
const parts: unknown[] = [...everyPartOf(document)];

function* everyPartOf(part: unknown): Generator<unknown> {
  yield part;
  if (typeof part !== "object" || part === null) return;
  for (const key of Reflect.ownKeys(part))
    yield* everyPartOf((part as Record<PropertyKey, unknown>)[key]);
}

function entryOf(name: OperationName): Entry {
  const { method, path } = operationNamed(name);
  return document.paths[path.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
}

test("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors: found } = await new Validator().validate(structuredClone({ ...document }));
  expect(found).toBeUndefined();
  expect(valid).toBe(true);
});

test("the document is plain JSON: it holds nothing undefined, no symbol and no function", () => {
  expect(parts.filter((part) => part === undefined || typeof part === "function")).toEqual([]);
  const keys = parts.flatMap((part) =>
    typeof part === "object" && part !== null ? Object.getOwnPropertySymbols(part) : [],
  );
  expect(keys).toEqual([]);
  expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document);
});

test("every reference leads somewhere", () => {
  const references = parts.flatMap((part) => (part as { $ref?: string } | null)?.$ref ?? []);
  expect(references.length).toBeGreaterThan(300);
  for (const reference of new Set(references)) {
    const [root, ...keys] = reference.split("/");
    expect(root).toBe("#");
    const found = keys.reduce<unknown>(
      (at, key) => (at as Record<string, unknown>)?.[key],
      document,
    );
    expect(found, reference).toBeDefined();
  }
});

test("every operation is there, and nothing else", () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual([...operationNames].sort());
  for (const name of operationNames) expect(entryOf(name).operationId).toBe(name);
});

describe.each([...operationNames])("%s", (name) => {
  const op = operationNamed(name);
  const entry = entryOf(name);

  test("has its parameters, and takes Idempotency-Key when it writes", () => {
    const given = (entry.parameters ?? []).map((one) => one.$ref ?? `${one.in} ${one.name}`);
    expect(given).toEqual([
      ...Object.keys(op.params?.properties ?? {}).map((each) => `path ${each}`),
      ...Object.keys(op.query?.properties ?? {}).map((each) => `query ${each}`),
      ...(op.resumes ? ["header Last-Event-ID"] : []),
      ...(op.method === "GET" ? [] : ["#/components/parameters/IdempotencyKey"]),
    ]);
  });

  test("asks for the credentials that it accepts", () => {
    const schemes = entry.security.flatMap((each) => Object.keys(each));
    const expected = {
      key: "accessKey",
      browser: "browserSession",
      agent: "agentToken",
      delegation: "delegation",
      pairing: "pairingCredential",
    };
    expect(schemes).toEqual(op.callers.accepts.map((kind) => expected[kind]));
  });

  test("answers with its success and with each status of its errors", () => {
    const statuses = errorsOf(op).map((error) => errors[error].status as number);
    expect(Object.keys(entry.responses).map(Number)).toEqual(
      [
        ...new Set([
          op.success ?? 200,
          ...(op.otherSuccess ? [op.otherSuccess] : []),
          ...(op.shape === "download" ? [206, 304] : []),
          ...statuses,
        ]),
      ].sort((a, b) => a - b),
    );
  });
});

test("named schemas differ from each other, so that a name means one thing", () => {
  for (const [name, schema] of namedSchemas()) expect(nameOfSchema(schema)).toBe(name);
});

test("every exported schema of the contract that says more than bounds has its name, but those of paths", async () => {
  const root = new URL("../../../src/contract/", import.meta.url).pathname;
  const nameless: string[] = [];
  for (const path of new Bun.Glob("**/*.ts").scanSync(root)) {
    if (path.startsWith("documents/")) continue;
    const exported = Object.entries((await import(`${root}${path}`)) as Record<string, unknown>);
    for (const [name, schema] of exported)
      if (/^[A-Z]/.test(name) && !name.endsWith("Params") && tellsMuch(schema))
        if (nameOfSchema(schema) === undefined) nameless.push(`${path}: ${name}`);
  }
  expect(nameless).toEqual([]);
});

const tellsMuch = (value: unknown): value is TSchema =>
  typeof value === "object" &&
  value !== null &&
  Kind in value &&
  ["pattern", "enum", "properties", "patternProperties"].some((word) => word in value);

test("texts of fields are about fields that exist", () => {
  for (const [name, texts] of Object.entries(recordTexts)) {
    const properties = namedSchemas().get(name)?.["properties"] as object | undefined;
    expect(Object.keys(properties ?? {}), name).toEqual(expect.arrayContaining(Object.keys(texts)));
  }
  for (const [name, texts] of Object.entries(requestTexts))
    expect(inputsOf(name as OperationName)).toEqual(expect.arrayContaining(Object.keys(texts)));
  const inputs = operationNames.flatMap(inputsOf);
  expect(inputs).toEqual(expect.arrayContaining(Object.keys(parameterTexts)));
});

function inputsOf(name: OperationName): string[] {
  const { params, query, body } = operationNamed(name);
  const forms = (body?.["anyOf"] ?? [body]) as ({ properties?: object } | undefined)[];
  return [params, query, ...forms].flatMap((schema) => Object.keys(schema?.properties ?? {}));
}

/** Another library's checks: what the document says must hold without TypeBox and our own kinds of schema. */
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addFormat("date-time", true);
const asDefinitions = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "schemas#/$defs/"));
ajv.addSchema({ $id: "schemas", $defs: asDefinitions(document.components.schemas) });
const checkOf = (schema: object) => ajv.compile(asDefinitions(schema));

test("every schema is strict JSON Schema 2020-12", () => {
  for (const name of Object.keys(document.components.schemas))
    expect(() => checkOf({ $ref: `#/components/schemas/${name}` }), name).not.toThrow();
});

describe("real requests and answers fit the document", async () => {
  const world = await startWorld();

  test("in a conversation of a person and an agent", async () => {
    const follow = (client: World["admin"] | Awaited<ReturnType<World["seat"]>>) =>
      async function send(name: OperationName, input: object = {}) {
        const { body } = input as { body?: object };
        const { requestBody, responses } = entryOf(name);
        if (body) expectFit(requestBody!.content["application/json"]!.schema, body, name);
        const answer = await client.send(name, input as never);
        expectFit(
          responses[answer.status]!.content!["application/json"]!.schema,
          answer.data,
          name,
        );
        return answer.data as never as Record<string, never>;
      };
    const ana = follow(world.admin);
    await ana("getInfo");
    await ana("getMe");
    await ana("createKey", { body: { name: "desk" } });
    await ana("listKeys");
    await ana("listServerPeople");
    await ana("createBoard", { body: { name: "plans", title: "🗺️".repeat(40) } });
    const board = { board: "plans" };
    const agent = follow(await world.seat(world.admin, "plans", { harness: "claude-code" }));
    await agent("getMe");
    await agent("setPresence", { body: { presence: "working" } });
    await agent("setLine", { body: { kind: "working", text: "Reading" } });
    const { id, seq } = await ana("postMessage", {
      params: board,
      body: { body: "Ready? @member", expects_reply: true },
    });
    await agent("getInbox");
    await agent("postMessage", { params: board, body: { body: "Yes.", reply_to: id } });
    await ana("addReaction", { params: { message: id, reaction: "tada" } });
    await ana("getMessage", { params: { message: id } });
    await ana("getReceipts", { params: { ...board, seq } });
    await ana("listReplies", { params: { message: id } });
    await ana("listThreads", { params: board });
    await ana("searchBoard", { params: board, query: { q: "ready" } });
    await ana("listMessages", { params: board, query: { newest: true } });
    await ana("createTask", { params: board, body: { title: "Plan", about: "Why.", start: true } });
    const plan = { ...board, task: "1" };
    await agent("joinTask", { params: plan });
    await agent("updateTask", { params: plan, body: { stands: "Here.", stands_base: 0 } });
    await ana("getTask", { params: plan });
    await ana("dropTask", { params: plan, body: { member: "claude" } });
    await ana("finishTask", { params: plan, body: { note: "Done." } });
    await world.admin.upload(
      { params: board, query: { name: "brief.md", brief: true } },
      new Blob(["# Brief"]),
    );
    const brief = { ...board, file: "brief.md" };
    await ana("approveFile", { params: brief, body: { version: 1 } });
    await ana("getFile", { params: brief });
    await ana("listFiles", { params: board });
    await ana("getBoard", { params: board });
    await ana("updateFile", { params: brief, body: { about: ["1"] } });
    await ana("removeFileApproval", { params: brief });
    await ana("removeFile", { params: brief });
    await ana("listTasks", { params: board, query: { state: "all" } });
    await ana("listMembers", { params: board });
    await ana("listPeople", { params: board });
    await ana("listBoards");
    await ana("listEvents", { params: board });
    await agent("leaveAsAgent");
    world.check();
  });

  test("and so does a refusal", async () => {
    const { data } = await world.admin.send("getBoard", { params: { board: "hidden" } });
    expectFit({ $ref: "#/components/schemas/Error" }, data, "Error");
  });

  function expectFit(schema: object, value: unknown, what: string): void {
    const check = checkOf(schema);
    expect(check(value), `${what}: ${JSON.stringify(check.errors)} ${JSON.stringify(value)}`).toBe(
      true,
    );
  }
});

test("every answer has an id, and one that asks to wait says how long", () => {
  type Answer = { headers?: Record<string, unknown>; $ref?: string };
  const { responses, headers } = (
    document as unknown as { components: Record<"responses" | "headers", Record<string, Answer>> }
  ).components;
  const resolved = (answer: Answer): Answer =>
    answer.$ref ? responses[answer.$ref.split("/").at(-1)!]! : answer;
  let waits = 0;
  for (const name of operationNames)
    for (const [status, answer] of Object.entries(entryOf(name).responses)) {
      if (["206", "304"].includes(status)) continue;
      const named = Object.keys(resolved(answer).headers ?? {});
      expect(named, `${name} ${status}`).toContain("X-Request-Id");
      expect(named.includes("Retry-After"), `${name} ${status}`).toBe(status === "429");
      waits += status === "429" ? 1 : 0;
    }
  expect(waits).toBeGreaterThan(5);
  expect(Object.keys(headers).toSorted()).toEqual([
    "IdempotentReplayed",
    "RequestId",
    "RetryAfter",
  ]);
});
