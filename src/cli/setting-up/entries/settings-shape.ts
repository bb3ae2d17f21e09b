import { LocalError } from "../../../client/machine/local-error.ts";
import { jsonTree, nodeAt, NotJson, type JsonNode } from "../settings-files/json-tree.ts";

/** Members that a settings object may lack, but that have this form if it has them. */
export interface Shape {
  readonly [member: string]:
    { readonly kind: "object"; readonly inside: Shape } | { readonly kind: "array" };
}

/** A settings file has another form than its harness reads. The message goes after the file's name. */
export class WrongShape extends Error {
  override readonly name = "WrongShape";
}

/** Throws `WrongShape` unless the text is a JSON object with these forms. */
export function fits(text: string, shape: Shape): void {
  check(rootOf(text), [], shape, text);
}

function rootOf(text: string): JsonNode {
  try {
    return jsonTree(text);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new WrongShape(
      `is not valid JSON: line ${error.line}, column ${error.column}: ${error.message}`,
    );
  }
}

function check(root: JsonNode, way: readonly string[], shape: Shape, text: string): void {
  const node = nodeAt(root, way);
  if (node === null) return;
  demand(node, "object", way, text);
  for (const [member, form] of Object.entries(shape)) {
    const at = [...way, member];
    if (form.kind === "object") check(root, at, form.inside, text);
    else demandAt(root, at, text);
  }
}

function demandAt(root: JsonNode, way: readonly string[], text: string): void {
  const node = nodeAt(root, way);
  if (node) demand(node, "array", way, text);
}

function demand(
  { value, start }: JsonNode,
  kind: "object" | "array",
  way: readonly string[],
  text: string,
): void {
  const isArray = Array.isArray(value);
  const isRight = kind === "array" ? isArray : typeof value === "object" && value && !isArray;
  if (isRight) return;
  const line = text.slice(0, start).split("\n").length;
  const what = way.length === 0 ? "the whole file" : `\`${way.join(".")}\``;
  const wanted = kind === "array" ? "a list in brackets" : "an object in braces";
  throw new WrongShape(
    `has another form than its harness reads: line ${line}: ${what} is not ${wanted}`,
  );
}

/** The error for a settings file that nobody can change safely. */
export const brokenSettings = (path: string, { message }: WrongShape): LocalError =>
  new LocalError(
    "settings_broken",
    `${path} ${message}. Nothing was changed.`,
    "Repair that file, or move it away; then run this command again.",
  );
