import type { TSchema } from "@sinclair/typebox";
import { shownSecret } from "../../../contract/credentials.ts";
import { parameterTexts, requestTexts } from "../../../contract/documents/request-texts.ts";
import { errorsOf, keepsAnswers } from "../../../contract/documents/implied-errors.ts";
import { operationNamed, operationNames, type OperationName } from "../../../contract/index.ts";
import { eventTypes } from "../../../contract/log.ts";
import {
  answersBytes,
  writes,
  type CredentialKind,
  type Operation,
} from "../../../contract/operation.ts";
import { streamTexts } from "../../../contract/documents/stream-texts.ts";
import {
  bytesText,
  eventTexts,
  tagTexts,
  uploadText,
  whatRepeatsGet,
  whoMay,
} from "../../../contract/documents/texts.ts";
import { errorResponses, errorSchema, responsesOf } from "./openapi-errors.ts";
import { explained, schemaOf, namedComponents, type Json } from "./openapi-schemas.ts";
import { guide, introduction } from "./reference-page-guide.ts";

/** The OpenAPI 3.1 document of the service, made from the operation table. `url` is where the server is reached. */
export function openApiDocument({ version, url }: { version: string; url: string }): object {
  return {
    openapi: "3.1.1",
    info: {
      title: "Team Board Service",
      version,
      summary: "Boards on which people and their agents work together",
      description: [introduction, ...guide(url).map(chapterText)].join("\n\n"),
    },
    servers: [{ url }],
    tags: Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operationNames),
    components: {
      securitySchemes,
      parameters: { IdempotencyKey: idempotencyKey },
      headers: {
        IdempotentReplayed: idempotentReplayed,
        RequestId: requestId,
        RetryAfter: retryAfter,
      },
      responses: errorResponses(operationNames.map((name) => errorsOf(operationNamed(name)))),
      schemas: {
        Error: errorSchema,
        ...namedComponents(),
        ...described("event", eventTypes(), eventTexts),
        ...streamEventSchemas(),
      },
    },
  };
}

const chapterText = ({ title, blocks }: ReturnType<typeof guide>[number]): string =>
  [
    `## ${title}`,
    ...blocks.map((block) => (typeof block === "string" ? block : `\`\`\`\n${block.code}\n\`\`\``)),
  ].join("\n\n");

const schemeOf: Record<CredentialKind, string> = {
  key: "accessKey",
  browser: "browserSession",
  agent: "agentToken",
  delegation: "delegation",
  pairing: "pairingCredential",
};
const bearer = (description: string) => ({ type: "http", scheme: "bearer", description });
const securitySchemes = {
  accessKey: bearer(`A person's access key (\`${shownSecret("key")}\`).`),
  browserSession: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-service_session",
    description: `A browser's session (\`${shownSecret("browser")}\`). A change needs the server's own Origin and the \`X-Service-CSRF\` header. On a local server the cookie is named \`service_session_<port>\`.`,
  },
  delegation: bearer(
    `What a machine may do for a person (\`${shownSecret("delegation")}\`): list, join and make boards.`,
  ),
  pairingCredential: bearer(
    `What a session holds that is being paired (\`${shownSecret("pairing")}\`): read, accept and verify one request.`,
  ),
  agentToken: bearer(`The token of an agent's seat on one board (\`${shownSecret("agent")}\`).`),
};
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Names this request, so that a repeat is recognised. Each operation says what a repeat gets.",
  schema: { type: "string", minLength: 1, maxLength: 128 },
};
const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  description: "The id of the last event that was received: go on after it.",
  schema: { type: "integer", minimum: 0 },
};
const requestId = {
  description:
    "The id of the request's lines in the log of a team's server. A local server may leave it out.",
  schema: { type: "string" },
};
const retryAfter = {
  description: "How many seconds to wait before the next try.",
  schema: { type: "integer", minimum: 0 },
};
const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
const idempotentReplayed = {
  description: "There, and `true`, when this is the kept answer of an earlier request.",
  schema: { const: "true" },
};

function pathsOf(names: readonly OperationName[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of names) {
    const op = operationNamed(name);
    const path = op.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[op.method.toLowerCase()] = entryOf(name, op);
  }
  return paths;
}

function entryOf(name: OperationName, op: Operation): Json {
  const texts = { ...parameterTexts, ...requestTexts[name] };
  const parameters = parametersOf(op, texts);
  const description = [op.description, whoMay(op), whatRepeatsGet(op)].filter(Boolean);
  return {
    operationId: name,
    tags: [op.tag],
    summary: op.summary,
    description: description.join("\n\n"),
    security: op.callers.accepts.map((kind) => ({ [schemeOf[kind]]: [] })),
    ...(parameters.length && { parameters }),
    ...(op.shape === "upload" && {
      requestBody: {
        required: false,
        description: uploadText,
        content: { "application/octet-stream": {} },
      },
    }),
    ...(op.body && {
      requestBody: {
        required: !op.bodyOptional,
        content: json(explained(schemaOf(op.body), texts)),
      },
    }),
    responses: {
      [op.success ?? 200]: answerOf(name, op),
      ...(op.shape === "download" && {
        206: { description: "The part of the bytes that was asked for", content: { "*/*": {} } },
        304: { description: "The bytes are those that are known already" },
      }),
      ...(op.otherSuccess && { [op.otherSuccess]: answerOf(name, op) }),
      ...responsesOf(errorsOf(op)),
    },
  };
}

function parametersOf(op: Operation, texts: Readonly<Record<string, string>>): Json[] {
  const parameters = (place: "path" | "query", { properties = {}, required = [] }: TSchema) =>
    Object.entries(properties as Record<string, TSchema>).map(([name, schema]) => ({
      name,
      in: place,
      required: (required as string[]).includes(name),
      ...(texts[name] !== undefined && { description: texts[name] }),
      schema: schemaOf(schema),
    }));
  return [
    ...(op.params ? parameters("path", op.params) : []),
    ...(op.query ? parameters("query", op.query) : []),
    ...(op.resumes ? [lastEventId] : []),
    ...(writes(op) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
}

function answerOf(name: OperationName, op: Operation): Json {
  if (op.shape === "stream")
    return {
      description: streamText(name),
      headers: requestIdHeader,
      content: { "text/event-stream": { schema: schemaOf(op.response) } },
    };
  if (answersBytes(op))
    return {
      description: bytesText(op),
      headers: requestIdHeader,
      content: op.shape === "archive" ? { "application/x-tar": {} } : { "*/*": {} },
    };
  return {
    description: op.success === 201 ? "Created" : op.success === 202 ? "Accepted" : "OK",
    headers: {
      ...requestIdHeader,
      ...(keepsAnswers(op) && {
        "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" },
      }),
    },
    content: json(schemaOf(op.response)),
  };
}

const json = (schema: Json): Json => ({ "application/json": { schema } });

const streamText = (name: OperationName): string =>
  [
    "Events, each with its name and its data as JSON:",
    ...streamTexts
      .filter((stream) => stream.name === name)
      .flatMap(({ prefix, events }) =>
        Object.entries(events).map(
          ([event, text]) => `- \`${event}\` (schema \`${prefix}.${event}\`): ${text}`,
        ),
      ),
  ].join("\n");

const streamEventSchemas = (): Record<string, Json> =>
  Object.assign(
    {},
    ...streamTexts.map(({ prefix, schemas, events }) => described(prefix, schemas, events)),
  ) as Record<string, Json>;

function described(
  prefix: string,
  schemas: Readonly<Record<string, Parameters<typeof schemaOf>[0]>>,
  texts: Readonly<Record<string, string>>,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      `${prefix}.${name}`,
      { description: texts[name] ?? "", ...schemaOf(schema) },
    ]),
  );
}
