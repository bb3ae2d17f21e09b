import type { TSchema } from "@sinclair/typebox";
import { recordTexts } from "../../contract/field-texts.ts";
import { namedSchemas, nameOfSchema } from "../../contract/named-schemas.ts";

export type Json = { readonly [key: string]: unknown };

const place = "#/components/schemas/";

/** A reference to a schema of the document's components. */
export const reference = (name: string): Json => ({ $ref: place + name });

/** The JSON Schema of a contract schema, in which every named schema is a reference. */
export function schemaOf(schema: TSchema): Json {
  const name = nameOfSchema(schema);
  return name ? reference(name) : inlined(schema);
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

/** The named schemas that a part of the document refers to, and those that they refer to. */
export function schemasUsedBy(part: Json, found: Record<string, Json> = {}): Record<string, Json> {
  for (const name of referencesIn(part)) {
    const schema = namedSchemas.get(name);
    if (!schema || found[name]) continue;
    found[name] = explained(inlined(schema), recordTexts[name]);
    schemasUsedBy(found[name], found);
  }
  return found;
}

function referencesIn(part: Json): string[] {
  const found = JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
  return [...found].map(([, name = ""]) => name);
}

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
