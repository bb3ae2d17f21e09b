import type { TSchema } from "@sinclair/typebox";
import { recordTexts } from "../../../contract/documents/field-texts.ts";
import { namedSchemas, nameOfSchema } from "../../../contract/documents/named-schemas.ts";

export type Json = { readonly [key: string]: unknown };

/** The JSON Schema of a contract schema, in which every named schema is a reference. */
export function schemaOf(schema: TSchema): Json {
  const name = nameOfSchema(schema);
  return name ? { $ref: `#/components/schemas/${name}` } : inlined(schema);
}

/** A schema whose fields say what they mean, where a text does. A body may take several forms. */
export function explained(schema: Json, texts: Readonly<Record<string, string>> = {}): Json {
  const { properties, anyOf } = schema as { properties?: Record<string, Json>; anyOf?: Json[] };
  if (anyOf) return { ...schema, anyOf: anyOf.map((form) => explained(form, texts)) };
  if (!properties) return schema;
  const entries = Object.entries(properties).map(([name, field]) => [
    name,
    texts[name] === undefined ? field : { ...field, description: texts[name] },
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** Every named schema, with what its fields mean. */
export const namedComponents = (): Json =>
  Object.fromEntries(
    [...namedSchemas()].map(([name, schema]) => [
      name,
      explained(inlined(schema), recordTexts[name]),
    ]),
  );

/** Keywords of the contract that JSON Schema does not have. */
const own = ["tooLong"];

function inlined(schema: TSchema): Json {
  const entries = Object.entries(schema).filter(([keyword]) => !own.includes(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, partOf(keyword, value)]));
}

function partOf(keyword: string, value: unknown): unknown {
  if (keyword === "properties" || keyword === "patternProperties")
    return Object.fromEntries(
      Object.entries(value as Record<string, TSchema>).map(([name, part]) => [
        name,
        schemaOf(part),
      ]),
    );
  if (keyword === "anyOf" || keyword === "allOf") return (value as TSchema[]).map(schemaOf);
  if (keyword === "items" || (keyword === "additionalProperties" && typeof value === "object"))
    return schemaOf(value as TSchema);
  return value;
}
