import type { ErrorName } from "../../../contract/errors/index.ts";
import { wireError } from "../../../contract/documents/implied-errors.ts";
import type { Json } from "./openapi-schemas.ts";

/** The schema of every error on the wire. */
export const errorSchema: Json = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "hint"],
      properties: {
        code: { type: "string", description: "Stable: decide by it." },
        message: { type: "string", description: "What happened, in one sentence." },
        hint: { type: "string", description: "What to do next, often a command." },
        next: {
          type: "object",
          description: "What the caller's person runs instead. Guidance, never permission.",
          required: ["command", "resume"],
          properties: {
            command: { type: "string", description: "One command, to be run as it is." },
            resume: { type: "string", description: "What is done then." },
          },
        },
        details: { type: "object", description: "Facts for programs." },
      },
    },
  },
};

/** The answers of an operation that can be refused with these entries: one for each status. */
export function responsesOf(names: readonly ErrorName[]): Json {
  return Object.fromEntries(
    byStatus(names).map(([status, group]) => [
      status,
      { $ref: `#/components/responses/${keyOf(group)}` },
    ]),
  );
}

/** Every different answer of the operations, each operation given by the entries it can be refused with. */
export function errorResponses(operations: readonly (readonly ErrorName[])[]): Json {
  const groups = operations.flatMap((names) => byStatus(names).map(([, group]) => group));
  return Object.fromEntries(groups.map((group) => [keyOf(group), responseOf(group)]));
}

function byStatus(names: readonly ErrorName[]): [number, ErrorName[]][] {
  const groups = new Map<number, ErrorName[]>();
  for (const name of names) {
    const { status } = wireError(name);
    groups.set(status, [...(groups.get(status) ?? []), name]);
  }
  return [...groups];
}

const keyOf = (group: readonly ErrorName[]): string => group.join(".");

function responseOf(group: readonly ErrorName[]): Json {
  const codes = [...new Set(group.map((name) => wireError(name).code))];
  return {
    description: group.map(lineOf).join("\n"),
    headers: {
      "X-Request-Id": { $ref: "#/components/headers/RequestId" },
      ...(codes.includes("rate_limited") && {
        "Retry-After": { $ref: "#/components/headers/RetryAfter" },
      }),
    },
    content: {
      "application/json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Error" }],
          properties: { error: { properties: { code: { enum: codes } } } },
        },
      },
    },
  };
}

function lineOf(name: ErrorName): string {
  const { code, message, hint } = wireError(name);
  return `- \`${code}\`: ${message} ${hint}`;
}
