import type { TSchema } from "@sinclair/typebox";
import { greatestSeq } from "../limits.ts";
import { recordTexts } from "./field-texts.ts";
import { nameOfSchema } from "./named-schemas.ts";

/** A field as readers see it. `type` is a text with `code` in backticks and [[Name]] for a named record. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  /** What it means, where its name does not say it. */
  readonly text: string | undefined;
  /** The fields of the object that it is, or that it lists. */
  readonly fields: readonly Field[];
}

/** A schema as readers see it: its type, and its fields where it is an object. A body may take several forms. */
export interface Shape {
  readonly type: string;
  readonly forms: readonly (readonly Field[])[];
}

type Texts = Readonly<Record<string, string>>;

/** A schema for readers. A named one is given by its name alone. `texts` say what its fields mean. */
export const shapeOf = (schema: TSchema, texts: Texts = {}): Shape => ({
  type: typeOf(schema),
  forms: nameOfSchema(schema) ? [] : formsOf(schema, texts),
});

/** The same of a named schema, with its fields. */
export const shapeOfNamed = (name: string, schema: TSchema): Shape => ({
  type: typeWithoutName(schema),
  forms: formsOf(schema, recordTexts[name] ?? {}),
});

/** The fields of an object's schema. */
export function fieldsOf({ properties = {}, required = [] }: TSchema, texts: Texts = {}): Field[] {
  return Object.entries(properties as Record<string, TSchema>).map(([name, schema]) => ({
    name,
    required: (required as string[]).includes(name),
    type: typeOf(schema),
    text: texts[name],
    fields: nameOfSchema(schema) ? [] : formsOf(schema, {}).flat(),
  }));
}

function formsOf(schema: TSchema, texts: Texts): Field[][] {
  if (schema["type"] === "object") return schema["properties"] ? [fieldsOf(schema, texts)] : [];
  const parts = (schema["anyOf"] ?? [schema["items"]]) as (TSchema | undefined)[];
  return parts.flatMap((part) => (part && !nameOfSchema(part) ? formsOf(part, texts) : []));
}

function typeOf(schema: TSchema): string {
  const name = nameOfSchema(schema);
  const type = name ? `[[${name}]]` : typeWithoutName(schema);
  return "default" in schema ? `${type}, \`${String(schema["default"])}\` unless given` : type;
}

function typeWithoutName(schema: TSchema): string {
  if (schema["anyOf"] || schema["enum"]) return either(alternativesOf(schema));
  if ("const" in schema) return codeOf(schema["const"]);
  if (schema["type"] === "array") return listType(schema);
  if (schema["type"] === "object") return objectType(schema);
  if (schema["type"] === "string") return textType(schema);
  if (schema["type"] === "integer") return integerType(schema);
  return (schema["type"] as string | undefined) ?? "any value";
}

function alternativesOf(schema: TSchema): string[] {
  if (schema["enum"]) return (schema["enum"] as string[]).map(codeOf);
  if (!schema["anyOf"]) return [typeWithoutName(schema)];
  return (schema["anyOf"] as TSchema[]).flatMap((part) =>
    nameOfSchema(part) ? typeOf(part) : alternativesOf(part),
  );
}

function either(types: readonly string[]): string {
  const unique = [...new Set(types)];
  if (unique.length < 2) return unique.join("");
  return `${unique.slice(0, -1).join(", ")} or ${unique.at(-1)}`;
}

function listType({ items, minItems, maxItems, uniqueItems }: TSchema): string {
  const unique = uniqueItems ? ", each once" : "";
  return `list${inBrackets(between(minItems, maxItems) + unique)} of ${typeOf(items as TSchema)}`;
}

function objectType({ patternProperties, minProperties }: TSchema): string {
  const [pattern, values] =
    Object.entries((patternProperties ?? {}) as Record<string, TSchema>)[0] ?? [];
  if (values)
    return `object of ${typeOf(values)} by name${pattern === "^(.*)$" ? "" : inBrackets(codeOf(pattern))}`;
  return minProperties ? "object with at least one of these" : "object";
}

function textType(schema: TSchema): string {
  const { description, minLength, maxLength, pattern, format, contentMediaType } = schema;
  if (description) return `${description}${inBrackets(pattern && codeOf(pattern))}`;
  if (contentMediaType) return codeOf(contentMediaType);
  if (format === "date-time") return "time (RFC 3339)";
  const length = between(minLength, maxLength);
  const bounds = [length && `${length} characters`, pattern && codeOf(pattern)].filter(Boolean);
  return `text${inBrackets(bounds.join(", "))}`;
}

function integerType({ minimum, maximum }: TSchema): string {
  // The greatest position of a log bounds nothing that a reader would meet.
  const most = (maximum as number | undefined) === greatestSeq ? undefined : maximum;
  return `integer${inBrackets(between(minimum, most))}`;
}

const codeOf = (value: unknown): string => `\`${String(value)}\``;
const inBrackets = (text: string): string => text && ` (${text})`;

function between(least?: number, most?: number): string {
  if (most === undefined) return least === undefined ? "" : `${least} or more`;
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
}
