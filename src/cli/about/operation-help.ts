import {
  fieldsOf,
  shapeOf,
  type Field,
  type Shape,
} from "../../contract/documents/readable-schema.ts";
import { errorsOf, wireError } from "../../contract/documents/implied-errors.ts";
import { parameterTexts, requestTexts } from "../../contract/documents/request-texts.ts";
import { bytesText, uploadText, whatRepeatsGet, whoMay } from "../../contract/documents/texts.ts";
import { operationNamed, type OperationName } from "../../contract/index.ts";
import { answersBytes } from "../../contract/operation.ts";
import type { Answer } from "../frame/command.ts";
import { bold, dim } from "../terminal/style.ts";
import { columns } from "../terminal/table.ts";

/** The help about one operation: who may make it, what it takes and answers, and how it is refused. */
export function operationHelp(name: OperationName): Answer {
  const op = operationNamed(name);
  const texts = { ...parameterTexts, ...requestTexts[name] };
  const codes = [...new Set(errorsOf(op).map((error) => wireError(error).code))];
  const path = op.path.replace(/:(\w+)/g, "{$1}");
  const parts = [
    ["Path", op.params && columns(fieldRows(fieldsOf(op.params, texts)))],
    ["Query", op.query && columns(fieldRows(fieldsOf(op.query, texts)))],
    ["Body", op.body ? shapeText(shapeOf(op.body, texts)) : op.shape === "upload" && uploadText],
    [
      `Answer ${op.success ?? 200}`,
      answersBytes(op) ? `  ${bytesText(op)}` : shapeText(shapeOf(op.response)),
    ],
    ["Errors", `  ${codes.join(", ")}`],
  ] as const;
  const said = parts.flatMap(([title, text]) => (text ? [`${title}:\n${text}`] : []));
  const { summary, method, description } = op;
  return {
    json: { name, method, path, summary, description: description ?? "", errors: codes },
    text: plain(
      [
        `${bold(name)}: ${summary}.\n${method} ${path}`,
        [description, whoMay(op), whatRepeatsGet(op)].filter(Boolean).join("\n"),
        ...said,
      ].join("\n\n"),
    ),
  };
}

/** Links to records are their names here. */
const plain = (text: string): string => text.replace(/\[\[(\w+)\]\]/g, "$1");

const fieldRows = (fields: readonly Field[], indent = ""): string[][] =>
  fields.flatMap(({ name, required, type, text, fields: below }) => [
    [
      `${indent}${name}`,
      [type, ...(required ? [] : ["optional"]), ...(text === undefined ? [] : [dim(text)])].join(
        "; ",
      ),
    ],
    ...fieldRows(below, `${indent}  `),
  ]);

function shapeText({ type, forms }: Shape): string {
  if (forms.length === 0) return `  ${type}`;
  return forms.map((fields) => columns(fieldRows(fields))).join("\n  or\n");
}
