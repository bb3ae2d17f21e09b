import { parameterTexts, requestTexts } from "../../src/contract/documents/request-texts.ts";
import { errorsOf, wireError } from "../../src/contract/documents/implied-errors.ts";
import { operationNamed, operationNames, type OperationName } from "../../src/contract/index.ts";
import { namedSchemas } from "../../src/contract/documents/named-schemas.ts";
import { answersBytes, type Tag } from "../../src/contract/operation.ts";
import {
  bytesText,
  tagTexts,
  uploadText,
  whatRepeatsGet,
  whoMay,
} from "../../src/contract/documents/texts.ts";
import { fieldsOf, shapeOf, shapeOfNamed } from "../../src/contract/documents/readable-schema.ts";
import { guide, introduction } from "../../src/server/http/documents/reference-page-guide.ts";
import { fieldList, heading, paragraphs, shapeText } from "./markdown.ts";

/** The default address of a local server. */
const localUrl = "http://127.0.0.1:7400";

/** The page of operations, with what each takes and answers, and the records that they share. */
export const operationsText = (): string =>
  `${paragraphs(
    heading("Operations", introduction),
    "A running server shows the same at `/docs`, and as OpenAPI at `/v1/openapi.json`.",
    ...guide(localUrl).map(({ title, blocks }) =>
      paragraphs(
        `## ${title}`,
        ...blocks.map((block) => (typeof block === "string" ? block : fenced(block.code))),
      ),
    ),
    ...(Object.keys(tagTexts) as Tag[]).map(tagText),
    ...recordTexts(),
  )}\n`;

const fenced = (code: string): string =>
  `\`\`\`${code.startsWith("{") ? "json" : "sh"}\n${code}\n\`\`\``;

const tagText = (tag: Tag): string =>
  paragraphs(
    `## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}`,
    tagTexts[tag],
    ...operationNames.filter((name) => operationNamed(name).tag === tag).map(operationText),
  );

function operationText(name: OperationName): string {
  const op = operationNamed(name);
  const texts = { ...parameterTexts, ...requestTexts[name] };
  const repeats = whatRepeatsGet(op);
  return paragraphs(
    `### ${name}`,
    `**${op.summary}.** \`${op.method} ${op.path.replace(/:(\w+)/g, "{$1}")}\``,
    op.description,
    whoMay(op),
    op.params && `Path:\n\n${fieldList(fieldsOf(op.params, texts))}`,
    op.query && `Query:\n\n${fieldList(fieldsOf(op.query, texts))}`,
    op.body &&
      `Body${op.bodyOptional ? ", may be left out" : ""}:\n\n${shapeText(shapeOf(op.body, texts))}`,
    op.shape === "upload" && `Body:\n\n${uploadText}`,
    `Answer ${op.success ?? 200}:\n\n${answersBytes(op) ? bytesText(op) : shapeText(shapeOf(op.response))}`,
    repeats,
    `Errors: ${[...new Set(errorsOf(op).map(errorLink))].join(", ")}.`,
  );
}

function errorLink(name: Parameters<typeof wireError>[0]): string {
  const { status, code } = wireError(name);
  return `[${status} \`${code}\`](errors.md#${status}-${code})`;
}

function recordTexts(): string[] {
  const shapes = [...namedSchemas()].map(([name, schema]) => ({
    name,
    shape: shapeOfNamed(name, schema),
  }));
  const text = ({ name, shape }: (typeof shapes)[number]) =>
    paragraphs(`### ${name}`, shapeText(shape));
  return [
    "## Records",
    ...shapes.filter(({ shape }) => shape.forms.length > 0).map(text),
    "## Forms",
    ...shapes.filter(({ shape }) => shape.forms.length === 0).map(text),
  ];
}
