import { withoutSecrets } from "../../contract/credentials.ts";
import type { Operation } from "../../contract/operation.ts";
import type { NextStep } from "../../contract/refusal.ts";
import { shellWord } from "../../contract/shell-word.ts";

/** The command that the person of a refused caller can run instead, with the server's address and the path's values. */
export function nextStep(
  { next }: Operation,
  server: string,
  params: Readonly<Record<string, string>>,
): NextStep | undefined {
  if (!next) return undefined;
  const values: Readonly<Record<string, string>> = { ...params, server };
  // The path is not validated yet, so its values may be anything.
  const fill = (_: string, name: string) => shellWord(withoutSecrets(values[name] ?? ""));
  return { ...next, command: next.command.replace(/\{(\w+)\}/g, fill) };
}
