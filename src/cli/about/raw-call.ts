import { operationNamed, operationNames, type OperationName } from "../../contract/index.ts";
import { usageError } from "../../client/machine/local-error.ts";

/** An operation named by its method and path, with the values that the path holds, as `name=value`. */
export interface RawCall {
  readonly name: OperationName;
  readonly values: readonly string[];
}

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Whether a word is the method of a raw call and not an operation's name. */
export const isMethod = (word: string): boolean => methods.has(word.toUpperCase());

/**
 * The operation that a method and a path name. Only a path is taken: the credential goes to the chosen server alone, so an
 * address of a server is refused, its own included.
 */
export function rawCall(method: string, address: string | undefined): RawCall {
  if (address === undefined)
    throw usageError("PATH is missing.", `Such as \`service api ${method.toUpperCase()} /v1/me\`.`);
  if (!address.startsWith("/") || /^\/[/\\]/.test(address))
    throw usageError(
      `${address} is no path of this API.`,
      "Give the path alone, such as `/v1/me`; `--server` chooses the server. A credential goes to no other address.",
    );
  const [path = "", search = ""] = cut(address, "?");
  const found = operationNames.flatMap((name) => {
    const values = valuesIn(path, name, method);
    return values ? [{ name, values: [...values, ...parametersIn(search)] }] : [];
  });
  // A fixed word in a path goes before a value in the same place.
  const [best] = found.sort((a, b) => paths(a.name) - paths(b.name));
  if (best) return best;
  throw usageError(
    `There is no operation ${method.toUpperCase()} ${path}.`,
    "`service api` lists them, each with its method and path.",
  );
}

const paths = (name: OperationName): number => operationNamed(name).path.split(":").length;

function cut(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/** The values of a path's parts, or null if it is not the operation's. */
function valuesIn(path: string, name: OperationName, method: string): string[] | null {
  const op = operationNamed(name);
  const [given, wanted] = [path.split("/"), op.path.split("/")];
  if (op.method !== method.toUpperCase() || given.length !== wanted.length) return null;
  const values: string[] = [];
  for (const [index, part] of wanted.entries()) {
    const value = decoded(given[index]!);
    if (!part.startsWith(":")) {
      if (part !== value) return null;
    } else if (value === "") return null;
    else values.push(`${part.slice(1)}=${value}`);
  }
  return values;
}

const parametersIn = (search: string): string[] =>
  [...new URLSearchParams(search)].map(([name, value]) => `${name}=${value}`);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw usageError(`${part} is no part of a path: its % begins no escape.`, "Write % as `%25`.");
  }
}
