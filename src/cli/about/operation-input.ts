import type { Operation } from "../../contract/operation.ts";
import { usageError } from "../../client/machine/local-error.ts";

/** Path, query and body of a call, from words such as `board=docs` and a body given as JSON. `board` fills a path that lacks it. */
export function inputOf(
  op: Operation,
  words: readonly string[],
  body: string | undefined,
  board: string | undefined,
) {
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  const fields: Record<string, unknown> = {};
  for (const word of words) {
    const [, name = "", value = ""] = /^([\w-]+)=([^]*)$/.exec(word) ?? [];
    if (!name) throw usageError(`${word} is not of the form name=value.`, "Such as `board=docs`.");
    if ([params, query, fields].some((part) => Object.hasOwn(part, name)))
      throw usageError(`${name} is given twice.`, "Give it once.");
    if (op.path.split("/").includes(`:${name}`)) params[name] = value;
    else if (goesToQuery(op, name)) query[name] = value;
    else fields[name] = isText(op, name) ? value : (json(value) ?? value);
  }
  if (board !== undefined && op.path.split("/").includes(":board")) params["board"] ??= board;
  const missing = [...op.path.matchAll(/:(\w+)/g)].find(([, name]) => !(name! in params));
  if (missing) throw usageError(`${missing[1]} is missing.`, `Add \`${missing[1]}=VALUE\`.`);
  const whole = body === undefined ? {} : parsedBody(body);
  const sends = op.body && (body !== undefined || words.length > 0 || !op.bodyOptional);
  return { params, query, ...(sends && { body: { ...whole, ...fields } }) };
}

/** What an operation without a body is given is a parameter, so that the server refuses one that it does not know. */
const goesToQuery = ({ body, query }: Operation, name: string): boolean =>
  !body || Object.hasOwn((query as Schema | undefined)?.properties ?? {}, name);

interface Schema {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly anyOf?: readonly Schema[];
}

function isText(op: Operation, name: string): boolean {
  const { anyOf, ...whole } = (op.body ?? {}) as Schema;
  return (anyOf ?? [whole]).some(({ properties }) => properties?.[name]?.type === "string");
}

/** Numbers, true, false, null, lists and objects are taken as such; anything else is a text. */
function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function parsedBody(text: string): object {
  const value = json(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw usageError("The body is not a JSON object.", 'Such as `--body \'{"name":"docs"}\'`.');
  return value;
}
