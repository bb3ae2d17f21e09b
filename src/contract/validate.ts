import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { TypeCompiler, type TypeCheck } from "@sinclair/typebox/compiler";
import { ValueErrorType, type ValueError } from "@sinclair/typebox/errors";
import { refuse, type Refusal } from "./refusal.ts";
import type { Operation } from "./operation.ts";

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The compiled check of a schema. It is compiled at its first use, to keep a server's start short. */
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  let check = compiled.get(schema);
  if (!check) compiled.set(schema, (check = TypeCompiler.Compile(schema)));
  return check;
}

/** Whether a value fits a schema. */
export const fits = (schema: TSchema, value: unknown): boolean => checkOf(schema).Check(value);

/** Refuses a value that does not fit its schema, naming the first thing wrong with it. */
export function demand(schema: TSchema, value: unknown, what: string): void {
  const check = checkOf(schema);
  if (!check.Check(value)) throw refusalOf(check.Errors(value).First(), what, schema);
}

/** Path parameters as their schema types them. */
export function paramsOf(op: Operation, given: Record<string, string>): Record<string, unknown> {
  if (!op.params) return {};
  const params: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(op.params.properties))
    params[name] = typed(schema, given[name] ?? "");
  demand(op.params, params, "the path");
  return params;
}

/** Query parameters as their schema types them. One that is given twice is refused unless it is a list. */
export function queryOf(op: Operation, given: URLSearchParams): Record<string, unknown> {
  const schema: TObject | undefined = op.query;
  const query: Record<string, unknown> = {};
  for (const [name, value] of given) {
    const property = schema && Object.hasOwn(schema.properties, name) && schema.properties[name];
    if (!property) throw unfit(`${name} is not a query parameter of this operation`);
    if (property["type"] === "array") {
      const { items } = property as unknown as { items: TSchema };
      ((query[name] ??= []) as unknown[]).push(typed(items, value));
      continue;
    }
    if (Object.hasOwn(query, name))
      throw unfit(`the query parameter ${name} is given ${given.getAll(name).length} times`);
    query[name] = typed(property, value);
  }
  if (schema) demand(schema, query, "the query");
  return query;
}

/** Turns a text into the number or boolean that its schema wants. Returns it unchanged if it is none. */
function typed(schema: TSchema, text: string): unknown {
  if (schema["type"] === "integer") return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (schema["type"] === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

const unfit = (problem: string): Refusal => refuse("invalid_request", { problem });

function refusalOf(error: ValueError | undefined, what: string, schema: TSchema): Refusal {
  if (!error) return unfit(`${what} does not fit`);
  if (error.type === ValueErrorType.Union && error.path === "") {
    const meant = formMeant(schema, error.value);
    if (meant) return refusalOf(checkOf(meant).Errors(error.value).First(), what, meant);
    return unfit(`${what} fits none of the forms: ${formsOf(schema)}`);
  }
  const { tooLong, maxLength } = error.schema as {
    tooLong?: "message_too_large";
    maxLength?: number;
  };
  if (tooLong && typeof error.value === "string" && error.value.length > 1)
    return refuse(tooLong, { what: "The text", limit: `${maxLength} characters` });
  const field = error.path.slice(1).replaceAll("/", ".");
  return unfit(`${field || what} ${complaint(error)}`);
}

/** The only form among several whose required fields a value has; undefined if none or several match. */
function formMeant({ anyOf }: TSchema, value: unknown): TObject | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const meant = ((anyOf ?? []) as TObject[]).filter(({ required = [] }) =>
    required.every((name) => Object.hasOwn(value, name)),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

const formsOf = ({ anyOf }: TSchema): string =>
  ((anyOf ?? []) as TObject[])
    .map(({ properties, required = [] }) =>
      Object.keys(properties)
        .map((name) => (required.includes(name) ? name : `${name}?`))
        .join(", "),
    )
    .map((form) => `{ ${form} }`)
    .join(" or ");

function complaint(error: ValueError): string {
  const { type, schema, message } = error;
  if (type === ValueErrorType.ObjectAdditionalProperties) return "is not a field of this request";
  if (type === ValueErrorType.ObjectRequiredProperty) return "is missing";
  if (type === ValueErrorType.ObjectMinProperties) return "needs at least one field";
  if (type === ValueErrorType.ArrayUniqueItems) return "names something twice";
  const [form, none] = (schema["anyOf"] ?? []) as TSchema[];
  if (form && none?.["type"] === "null") return `${complaint({ ...error, schema: form })}, or null`;
  if (schema[Kind] === "OneOf") return `must be one of ${(schema["enum"] as string[]).join(", ")}`;
  if (schema[Kind] === "Text") return `must be ${describeText(schema)}`;
  if (schema["type"] === "integer")
    return `must be a whole number${between(schema["minimum"], schema["maximum"])}`;
  if (schema["type"] === "boolean") return "must be true or false";
  if (schema["type"] === "array")
    return `must be a list${between(schema["minItems"], schema["maxItems"])}`;
  if (schema["type"] === "object") return "must be an object";
  return message.charAt(0).toLowerCase() + message.slice(1);
}

const between = (least?: number, most?: number): string =>
  (least === undefined ? "" : ` from ${least}`) + (most === undefined ? "" : ` up to ${most}`);

/** The rule of a text: the schema's description, or its pattern if it has none. */
function describeText({ description, minLength, maxLength, pattern, format }: TSchema): string {
  if (description) return description;
  if (format) return `a ${format as string}`;
  const length =
    minLength || maxLength
      ? ` of ${[minLength, maxLength].filter((n) => n !== undefined).join(" to ")} characters`
      : "";
  return `a text${minLength === undefined && maxLength ? ` of at most ${maxLength} characters` : length}${pattern ? ` that matches ${pattern as string}` : ""}`;
}
