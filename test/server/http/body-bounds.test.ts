import { expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { operationNamed, operationNames } from "../../../src/contract/index.ts";
import type { Operation } from "../../../src/contract/operation.ts";
import { deepestBody, largestOpenBody } from "../../../src/server/http/body.ts";
import { startUntouched as start } from "../../support/boards/board-unchanged-by-refusals.ts";

const posting = "POST /v1/boards/docs/messages";
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const operations: Operation[] = operationNames.map(operationNamed);
const open = operations
  .filter(({ access, method }) => access === "anyone" && method !== "GET")
  .map(({ method, path }) => `${method} ${path}`);

test("an operation that needs no credential takes at most 16 KiB of body, and says so unread", async () => {
  const { refused, send } = await start();
  expect(open).toContain("POST /v1/connect");
  const nobody = { token: undefined as never };
  for (const line of open) {
    const large = { ...nobody, body: `{}${" ".repeat(largestOpenBody - 1)}` };
    const { text } = await refused(line, large, "413 message_too_large");
    expect(text).toContain("at most 16384 bytes");
    // The longest is read: what it holds is looked at.
    await refused(line, { ...nobody, body: `{}${" ".repeat(largestOpenBody - 2)}` });
  }
  const flood = endless();
  await refused(open[0]!, { ...nobody, body: flood.stream }, "413 message_too_large");
  expect(flood.sent()).toBeLessThan(4 * largestOpenBody);
  const length = { "content-length": String(largestOpenBody + 1) };
  const announced = endless();
  const request = { ...nobody, body: announced.stream, headers: length };
  await refused(open[0]!, request, "413 message_too_large");
  expect(announced.sent()).toBeLessThan(2 * largestOpenBody);
  const body = { body: "x".repeat(2 * largestOpenBody) };
  expect((await send(posting, { body })).status).toBe(201);
});

function endless() {
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 4096;
      controller.enqueue(new Uint8Array(4096).fill(32));
    },
  });
  return { stream, sent: () => sent };
}

test("a body that is nested too deep is refused before it is parsed", async () => {
  const { refused } = await start();
  const deep = async (line: string, body: string, token?: string) =>
    (await refused(line, { body, ...(token === "none" && { token: undefined as never }) })).text;
  const tooDeep = `more than ${deepestBody} deep`;
  for (const body of [
    nested(deepestBody + 1),
    // Nothing after the bracket that is one too many is looked at.
    "[".repeat(deepestBody + 1),
    `{"to":${nested(deepestBody)}}`,
    `${'{"a":'.repeat(deepestBody + 1)}1${"}".repeat(deepestBody + 1)}`,
    `[["\\\\","\\"",${nested(deepestBody - 1)}]]`,
  ]) {
    expect(await deep(posting, body)).toContain(tooDeep);
    expect(await deep("POST /v1/connect", body, "none")).toContain(tooDeep);
  }
  expect(await deep(posting, nested(deepestBody))).not.toContain("deep");
  expect(await deep(posting, `[${nested(2).concat(",").repeat(40)}1]`)).not.toContain("deep");
});

test("brackets in a text are no depth, whatever is escaped there", async () => {
  const { send } = await start();
  for (const text of [
    "[".repeat(100),
    `"${"{".repeat(100)}`,
    `\\"${"[".repeat(100)}\\`,
    "é[{".repeat(50),
  ]) {
    const heard = await send(posting, { body: { body: text } });
    expect(JSON.parse(heard.text)).toMatchObject({ body: text });
  }
});

test("every body of the table is far less deep than the bound", () => {
  const deepest = Math.max(...operations.map(({ body }) => depthOf(body)));
  expect(deepest).toBe(3);
  expect(deepest * 2).toBeLessThan(deepestBody);
});

/** How deep a value that fits a schema can be. */
function depthOf(schema: TSchema | undefined): number {
  if (schema === undefined) return 0;
  const { anyOf = [], properties, items, type } = schema as TSchema & { anyOf?: TSchema[] };
  if (type === "object") return 1 + deepestOf(Object.values(properties as Record<string, TSchema>));
  if (type === "array") return 1 + depthOf(items as TSchema);
  return deepestOf(anyOf);
}
const deepestOf = (schemas: readonly TSchema[]): number => Math.max(0, ...schemas.map(depthOf));
