import { operationNamed, operationNames, type OperationName } from "../../contract/index.ts";
import { movesBytes, type Operation } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import { closed, t, text } from "../../contract/schema.ts";
import { demand } from "../../contract/validate.ts";
import { textElement } from "../../agent-text/text-element.ts";
import type { Caller } from "../caller.ts";
import { boardOf } from "../common.ts";
import { marked } from "../marked.ts";
import { arg, tool, type Told } from "../tool.ts";
import { longestWait } from "./inbox.ts";

const parts = t.Record(t.String(), t.Unknown());
const input = closed({
  params: t.Optional(parts),
  query: t.Optional(parts),
  body: t.Optional(parts),
});

/** Calls or describes any other operation that an agent may make. */
export const api = tool(
  "api",
  "Every other operation: without arguments lists them, with operation alone describes it, with input {params,query,body} calls it ({} for none). Your board is filled in.",
  {
    operation: arg(text({ maxLength: 60 })),
    input: arg(t.Unsafe<object>({ ...t.Object({}), type: "object" })),
  },
  {
    async run(caller, { operation: word, input: values }) {
      if (word === undefined) return list();
      const name = offered(word);
      return values === undefined ? describe(name) : answer(caller, name, values);
    },
  },
);

/** Whether an agent may make an operation, and it is one question with one answer in JSON. */
const isOffered = (op: Operation): boolean =>
  op.callers.accepts.includes("agent") && op.shape !== "stream" && !movesBytes(op);

/** The operations that the tool offers. */
const offeredOperations = operationNames.filter((name) => isOffered(operationNamed(name)));

function offered(word: string): OperationName {
  const name = offeredOperations.find((one) => one === word);
  if (name) return name;
  const problem = `${word} is no operation that an agent makes by this tool; \`api\` without arguments lists them`;
  throw refuse("invalid_request", { problem });
}

function list(): Told {
  const operations = offeredOperations.map((name) => ({
    name,
    summary: operationNamed(name).summary,
  }));
  const lines = operations.map(({ name, summary }) => `${name}: ${summary}`);
  return { text: lines.join("\n"), data: { operations } };
}

function describe(name: OperationName): Told {
  const { summary, description, params, query, body } = operationNamed(name);
  const data = {
    name,
    summary,
    ...(description && { description }),
    input: { ...(params && { params }), ...(query && { query }), ...(body && { body }) },
  };
  const lines = [`${name}: ${summary}.`, ...(description ? [description] : [])];
  return { text: [...lines, `input: ${JSON.stringify(data.input)}`].join("\n"), data };
}

async function answer(caller: Caller, name: OperationName, values: object): Promise<Told> {
  demand(input, values, "input");
  const op = operationNamed(name);
  const sent = values as { params?: Record<string, unknown>; query?: Record<string, unknown> };
  const { board } = op.params?.properties ?? {};
  const isNamed = !board || sent.params?.["board"] !== undefined;
  const params = { ...(!isNamed && { board: await boardOf(caller) }), ...sent.params };
  demand(op.params ?? closed({}), params, "params");
  if (Number(sent.query?.["wait"] ?? 0) > longestWait)
    throw refuse("invalid_request", { problem: `wait is at most ${longestWait} by a tool` });
  const data = (await caller.call(name, { ...sent, params } as never)) as object;
  return { text: textElement(`answer of ${name}`, null, JSON.stringify(marked(data))), data };
}
