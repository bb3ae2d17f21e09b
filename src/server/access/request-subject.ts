import type { Access, Field } from "../../contract/access.ts";
import type { Operation } from "../../contract/operation.ts";

/** What a request says: the parameters of its path, and its body. */
export interface Asked {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** The value of a field of a request; undefined where the request has no such field. */
export const valueOf = (asked: Asked, field: Field): unknown => asked[field.in]?.[field.name];

const inPath: Partial<Record<Access, string>> = {
  "reads-message": "message",
  "party-to-pairing": "pairing",
};

/** The name or id of the board, message, pairing request or agent that the request is about. Null if the request names none. */
export function subjectOf({ access, names }: Operation, asked: Asked): string | null {
  const value = valueOf(asked, names ?? { in: "params", name: inPath[access] ?? "board" });
  return typeof value === "string" ? value : null;
}
