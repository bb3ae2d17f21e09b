import { Kind, type TSchema } from "@sinclair/typebox";
import * as boards from "./boards.ts";
import * as joining from "./joining.ts";
import * as log from "./log.ts";
import * as messages from "./messages.ts";
import * as people from "./people.ts";
import * as scalars from "./scalars.ts";
import * as server from "./server.ts";

const exported = { ...scalars, ...server, ...people, ...boards, ...joining, ...messages, ...log };

/**
 * The schemas that documents name: those that the contract exports under a name of their own and that say more than
 * bounds. Paths' own objects are not among them.
 */
export const namedSchemas: ReadonlyMap<string, TSchema> = new Map(
  Object.entries<unknown>(exported)
    .filter((entry): entry is [string, TSchema] => isSchema(entry[1]) && tells(entry[1]))
    .filter(([name]) => /^[A-Z]/.test(name) && !name.endsWith("Params"))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

const names = new Map([...namedSchemas].map(([name, schema]) => [JSON.stringify(schema), name]));

/** The name of a schema. TypeBox copies a schema that it makes optional, so that the same text counts as the same one. */
export const nameOfSchema = (schema: TSchema): string | undefined =>
  tells(schema) ? names.get(JSON.stringify(schema)) : undefined;

function isSchema(value: unknown): value is TSchema {
  return typeof value === "object" && value !== null && Kind in value;
}

function tells(schema: TSchema): boolean {
  return ["pattern", "enum", "properties", "patternProperties"].some((word) => word in schema);
}
