import type { Operation } from "../../contract/operation.ts";
import { withoutSecrets, type NextStep } from "../../contract/refusal.ts";

/** What the person of a refused caller runs instead, with the server's address and the path's values filled in. */
export function nextStep(
  { next }: Operation,
  server: string,
  params: Readonly<Record<string, string>>,
): NextStep | undefined {
  if (!next) return undefined;
  const values: Readonly<Record<string, string>> = { ...params, server };
  const fill = (_: string, name: string) => quoted(withoutSecrets(values[name] ?? ""));
  return { ...next, command: next.command.replace(/\{(\w+)\}/g, fill) };
}

/** A text as one word of a shell. The path was not looked at yet, so it may hold anything. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
