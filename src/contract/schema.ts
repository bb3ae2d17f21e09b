import {
  Kind,
  Type as t,
  TypeRegistry,
  type TOptional,
  type TProperties,
  type TString,
} from "@sinclair/typebox";

export { t };

/** An object that refuses every property it does not list. For everything a client sends. */
export const closed = <P extends TProperties>(properties: P, options: object = {}) =>
  t.Object(properties, { additionalProperties: false, ...options });

/** An object the server answers with. Clients ignore properties that they do not know. */
export const record = <P extends TProperties>(properties: P) => t.Object(properties);

/** The same properties, each of which may be missing. */
export const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, t.Optional(schema)]),
  ) as { [Name in keyof P]: TOptional<P[Name]> };

export const nullable = <S extends Parameters<typeof t.Union>[0][number]>(schema: S) =>
  t.Union([schema, t.Null()]);

/** One of a fixed set of words. */
export const oneOf = <const V extends readonly string[]>(...words: V) =>
  t.Unsafe<V[number]>({ [Kind]: "OneOf", type: "string", enum: [...words] });

interface TextOptions {
  /** Least number of Unicode code points. */
  readonly minLength?: number;
  /** Greatest number of Unicode code points. */
  readonly maxLength?: number;
  /** A regular expression the whole text must match. */
  readonly pattern?: string;
  /** What the text is, for readers of the schema; not checked. */
  readonly format?: string;
  readonly description?: string;
  /** The error for a text that is too long: `invalid_request` by default. */
  readonly tooLong?: "message_too_large";
}

/** A text whose bounds count Unicode code points, as JSON Schema defines length. TypeBox's own strings count UTF-16 units. */
export const text = (options: TextOptions = {}) =>
  ({ type: "string", ...options, [Kind]: "Text" }) as unknown as TString;

const patterns = new Map<string, RegExp>();
function matches(pattern: string, value: string): boolean {
  let expression = patterns.get(pattern);
  if (!expression) patterns.set(pattern, (expression = new RegExp(pattern, "u")));
  return expression.test(value);
}

/** Number of Unicode code points. */
function lengthOf(value: string): number {
  let length = value.length;
  for (let i = 0; i < value.length - 1; i++)
    if (
      (value.charCodeAt(i) & 0xfc00) === 0xd800 &&
      (value.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    ) {
      length--;
      i++;
    }
  return length;
}

TypeRegistry.Set<TextOptions>("Text", (schema, value) => {
  if (typeof value !== "string") return false;
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  // Code points are never more than units and never fewer than half of them.
  if (value.length < minLength || value.length > 2 * maxLength) return false;
  if (value.length > maxLength || value.length < 2 * minLength) {
    const length = lengthOf(value);
    if (length < minLength || length > maxLength) return false;
  }
  return pattern === undefined || matches(pattern, value);
});

TypeRegistry.Set<{ enum: readonly string[] }>("OneOf", (schema, value) =>
  schema.enum.includes(value as string),
);
